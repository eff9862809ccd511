#pragma once

#include "runtime/core/boxed.h"
#include "runtime/core/scalar.h"
#include "runtime/core/tensor.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace et::core {

class Value;

/// Integers, each a value of its own because a symbolic size is known only at run time.
struct IntListValue {
    std::vector<Value*> items;          ///< borrowed, never null
    std::vector<std::int64_t> numbers;  ///< as many; what the items were when last asked
};

struct DoubleListValue {
    std::vector<double> numbers;
};

struct BoolListValue {
    std::unique_ptr<bool[]> numbers;
    std::size_t size = 0;
};

/// Tensors, each a value of its own; null where an optional one is missing.
struct TensorListValue {
    std::vector<Value*> items;     ///< borrowed; null: a missing optional tensor
    std::vector<Tensor*> tensors;  ///< as many; what the items were when last asked
    bool optionalItems = false;
};

/// What a method computes with while it runs. Kinds are the file's, see program::Value. Most values of a
/// method are numbers: what is larger lies apart.
class Value {
  public:
    using Kind = std::variant<std::monostate, Boxed<Tensor>, std::int64_t, double, bool, std::string_view,
                              Boxed<IntListValue>, Boxed<DoubleListValue>, Boxed<BoolListValue>,
                              Boxed<TensorListValue>, Tensor*>;

    Value() = default;
    explicit Value(Kind content) : kind(std::move(content)) {}

    [[nodiscard]] bool isNone() const { return std::holds_alternative<std::monostate>(kind); }
    /// The content as T, a Tensor or another of Kind's alternatives; null when it is something else.
    template <class T>
    [[nodiscard]] T* as() {
        if constexpr (std::is_same_v<T, Tensor>) {
            if (Tensor* const* const place = std::get_if<Tensor*>(&kind)) {
                return *place;
            }
        }
        return contentOf<T>(kind);
    }
    template <class T>
    [[nodiscard]] const T* as() const {
        // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): nothing is changed
        return const_cast<Value*>(this)->as<T>();
    }
    void set(Kind content) { kind = std::move(content); }
    /// Allocates only where the value is no tensor yet: runs set tensors of inputs and of moves.
    void set(const Tensor& tensor) {
        if (Tensor* const held = as<Tensor>()) {
            *held = tensor;
        } else {
            kind.emplace<Boxed<Tensor>>(tensor);
        }
    }
    /// As set(), in a place that is never null and outlives the value: a method has all its tensors in one.
    void setIn(Tensor* place) { kind = place; }

    /// An int, double or bool as a number; nothing for other kinds.
    [[nodiscard]] std::optional<Scalar> scalar() const;

    /// The numbers of an int list as they are now, written into the list; nothing when this is no int list or
    /// an item is no int.
    [[nodiscard]] std::optional<std::span<const std::int64_t>> ints();
    /// The tensors of a tensor list; nothing when this is no tensor list, an item is no tensor, or (unless
    /// `allowMissing`) is missing.
    [[nodiscard]] std::optional<std::span<Tensor* const>> tensors(bool allowMissing);

    /// "Tensor", "Int", "IntList", …, "None".
    [[nodiscard]] std::string_view kindName() const;

  private:
    Kind kind;
};

}  // namespace et::core
