#pragma once

#include "runtime/executor/method.h"
#include "runtime/program/method.h"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace et::python {

/// What a caller in Python gives a method: tensors as anything that speaks DLPack or the buffer protocol,
/// whose memory stays where it is; numbers, bools, None.
class GivenInputs {
  public:
    /// Raises ArgumentError for what is no value of a method, or no dense tensor in the CPU's memory. Whether
    /// the values fit the method, executor::Method::setInputs() tells. `ids` are the values of the method
    /// that they are for, `noun` what the caller calls them: "inputs".
    GivenInputs(const program::Method& method, const std::vector<program::ValueId>& ids,
                std::string_view noun, nanobind::handle values);

    [[nodiscard]] const std::vector<executor::InputValue>& values() const { return made; }

  private:
    using Array = nanobind::ndarray<nanobind::ro>;

    /// A tensor's shape, and its bytes where they had to be made.
    struct Held {
        Array array;
        std::vector<std::int64_t> sizes;
        std::vector<std::uint8_t> dimOrder;
        std::vector<std::byte> converted;
    };

    [[noreturn]] void refuse(std::string message) const;
    [[nodiscard]] executor::InputValue valueOf(nanobind::handle value, const program::Value* declared);
    [[nodiscard]] executor::InputValue tensorOf(Held& held, const program::Value* declared);

    std::string_view itemName;
    std::vector<executor::InputValue> made;
    std::deque<Held> tensors;
};

}  // namespace et::python
