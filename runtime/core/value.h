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

/// A list of integers, each a separate value because a symbolic size is known only at run time.
struct IntListValue {
    std::vector<Value*> items;          ///< borrowed, never null
    std::vector<std::int64_t> numbers;  ///< values of the items when last queried; same size
};

struct DoubleListValue {
    std::vector<double> numbers;
};

struct BoolListValue {
    std::unique_ptr<bool[]> numbers;
    std::size_t size = 0;
};

/// A list of tensors, each a separate value; null for a missing optional one.
struct TensorListValue {
    std::vector<Value*> items;     ///< borrowed; null: a missing optional tensor
    std::vector<Tensor*> tensors;  ///< tensors of the items when last queried; same size
    bool optionalItems = false;
};

/// A value of a running method. Its kinds are those of the file, see program::Value. Most values of a method
/// are numbers, so larger kinds are stored separately.
class Value {
  public:
    using Kind = std::variant<std::monostate, Boxed<Tensor>, std::int64_t, double, bool, std::string_view,
                              Boxed<IntListValue>, Boxed<DoubleListValue>, Boxed<BoolListValue>,
                              Boxed<TensorListValue>, Tensor*>;

    Value() = default;
    explicit Value(Kind content) : kind(std::move(content)) {}

    [[nodiscard]] bool isNone() const { return std::holds_alternative<std::monostate>(kind); }
    /// The content as T, a Tensor or another alternative of Kind; null if it has another kind.
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
    /// Allocates only if the value is not yet a tensor: runs set the tensors of inputs and moves.
    void set(const Tensor& tensor) {
        if (Tensor* const held = as<Tensor>()) {
            *held = tensor;
        } else {
            kind.emplace<Boxed<Tensor>>(tensor);
        }
    }
    /// As set(), using non-null external memory that outlives the value: a method stores all its tensors
    /// together.
    void setIn(Tensor* place) { kind = place; }

    /// An int, double or bool as a number; nothing for other kinds.
    [[nodiscard]] std::optional<Scalar> scalar() const;

    /// The current numbers of an int list, which are also stored in the list; nothing if this is not an int
    /// list or an item is not an int.
    [[nodiscard]] std::optional<std::span<const std::int64_t>> ints();
    /// The tensors of a tensor list; nothing if this is not a tensor list, or an item is not a tensor or
    /// (unless `allowMissing`) missing.
    [[nodiscard]] std::optional<std::span<Tensor* const>> tensors(bool allowMissing);

    /// "Tensor", "Int", "IntList", …, "None".
    [[nodiscard]] std::string_view kindName() const;

  private:
    Kind kind;
};

}  // namespace et::core
