#pragma once

#include "app/serve/value.h"
#include "runtime/executor/method.h"
#include "runtime/program/method.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace et::serve {

/// Inputs of a method from Python: arrays, whose memory is borrowed; numbers, bools, None.
class GivenInputs {
  public:
    /// Throws ArgumentError for unsupported values and for tensors that are not dense or not in CPU memory.
    /// executor::Method::setInputs() checks the values against the method. `ids` are the method's values that
    /// they are for, `noun` the caller's name for them: "inputs".
    GivenInputs(const program::Method& method, const std::vector<program::ValueId>& ids,
                std::string_view noun, List values);

    [[nodiscard]] const std::vector<executor::InputValue>& values() const { return made; }

  private:
    /// A tensor's shape, and its bytes if they had to be converted.
    struct Held {
        Array array;
        std::vector<std::uint8_t> dimOrder;
        std::vector<std::byte> converted;
    };

    [[noreturn]] void refuse(std::string message) const;
    [[nodiscard]] executor::InputValue inputOf(Value& value, const program::Value* declared);
    [[nodiscard]] executor::InputValue tensorOf(Held& held, const program::Value* declared);
    void checkElements(const Held& held, const program::Value* declared, core::ScalarType type) const;

    std::string_view itemName;
    std::vector<executor::InputValue> made;
    std::deque<Held> tensors;
};

}  // namespace et::serve
