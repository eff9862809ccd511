#pragma once

#include <executorch/runtime/core/exec_aten/exec_aten.h>
#include <executorch/runtime/core/result.h>
#include <executorch/runtime/core/tag.h>
#include <executorch/runtime/platform/assert.h>

#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

namespace executorch::runtime {

struct EValue;

/// A list whose items are values of their own, with memory for their contents.
template <typename T>
class BoxedEvalueList {
  public:
    BoxedEvalueList() = default;
    BoxedEvalueList(EValue** wrapped_vals, T* unwrapped_vals, int size)
        : items(wrapped_vals, static_cast<size_t>(size)), contents(unwrapped_vals) {
        ET_CHECK_MSG(wrapped_vals != nullptr && unwrapped_vals != nullptr && size >= 0,
                     "a list needs items and memory");
    }

    /// An addition: a list whose contents are kept up to date by somebody else.
    BoxedEvalueList(T* current, size_t size) : contents(current), current_size(size) {}

    aten::ArrayRef<T> get() const;
    Result<aten::ArrayRef<T>> tryGet() const;
    void destroy_elements() { std::destroy_n(contents, items.size()); }

  private:
    aten::ArrayRef<EValue*> items;
    T* contents = nullptr;
    size_t current_size = 0;  ///< without items
};

/// A value of a method: an argument of kernels and delegates. Lists and strings are borrowed.
struct EValue {
    union Payload {
        union TriviallyCopyablePayload {
            TriviallyCopyablePayload() : as_int(0) {}
            int64_t as_int;
            double as_double;
            bool as_bool;
            aten::ArrayRef<char>* as_string_ptr;
            aten::ArrayRef<double>* as_double_list_ptr;
            aten::ArrayRef<bool>* as_bool_list_ptr;
            BoxedEvalueList<int64_t>* as_int_list_ptr;
            BoxedEvalueList<aten::Tensor>* as_tensor_list_ptr;
            BoxedEvalueList<std::optional<aten::Tensor>>* as_list_optional_tensor_ptr;
        } copyable_union;
        aten::Tensor as_tensor;
        Payload() {}
        ~Payload() {}
    };

    Payload payload;
    Tag tag = Tag::None;

    EValue() { payload.copyable_union.as_int = 0; }
    EValue(const EValue& other) { copyFrom(other); }
    EValue(EValue&& other) noexcept {
        copyFrom(other);
        other.tag = Tag::None;
    }
    EValue& operator=(const EValue& other) & {
        copyFrom(other);
        return *this;
    }
    EValue& operator=(EValue&& other) & noexcept {
        if (&other != this) {
            copyFrom(other);
            other.tag = Tag::None;
        }
        return *this;
    }
    ~EValue() = default;

#define ET_INTERNAL_KIND(Type, field, Kind) \
    EValue(Type content) : tag(Tag::Kind) { payload.copyable_union.field = content; }
    ET_INTERNAL_KIND(int64_t, as_int, Int)
    ET_INTERNAL_KIND(double, as_double, Double)
    ET_INTERNAL_KIND(bool, as_bool, Bool)
    ET_INTERNAL_KIND(aten::ArrayRef<char>*, as_string_ptr, String)
    ET_INTERNAL_KIND(aten::ArrayRef<double>*, as_double_list_ptr, ListDouble)
    ET_INTERNAL_KIND(aten::ArrayRef<bool>*, as_bool_list_ptr, ListBool)
    ET_INTERNAL_KIND(BoxedEvalueList<int64_t>*, as_int_list_ptr, ListInt)
    ET_INTERNAL_KIND(BoxedEvalueList<aten::Tensor>*, as_tensor_list_ptr, ListTensor)
    ET_INTERNAL_KIND(BoxedEvalueList<std::optional<aten::Tensor>>*, as_list_optional_tensor_ptr,
                     ListOptionalTensor)
#undef ET_INTERNAL_KIND
    EValue(aten::Tensor tensor) : tag(Tag::Tensor) { new (&payload.as_tensor) aten::Tensor(tensor); }
    EValue(aten::Scalar scalar) {
        if (scalar.isFloatingPoint()) {
            *this = EValue(scalar.to<double>());
        } else if (scalar.isBoolean()) {
            *this = EValue(scalar.to<bool>());
        } else {
            *this = EValue(scalar.to<int64_t>());
        }
    }
    /// From a smart pointer to something that a value can be made of.
    template <typename T, typename = std::enable_if_t<
                              std::is_convertible_v<decltype(*std::forward<T>(std::declval<T>())), EValue>>>
    EValue(T&& pointer) {
        ET_CHECK_MSG(pointer != nullptr, "expected a pointer that is not null");
        *this = EValue(*std::forward<T>(pointer));
    }
    template <typename T>
    explicit EValue(T* pointer) = delete;

    bool isNone() const { return tag == Tag::None; }
    bool isInt() const { return tag == Tag::Int; }
    bool isDouble() const { return tag == Tag::Double; }
    bool isBool() const { return tag == Tag::Bool; }
    bool isScalar() const { return isInt() || isDouble() || isBool(); }
    bool isTensor() const { return tag == Tag::Tensor; }
    bool isString() const { return tag == Tag::String; }
    bool isIntList() const { return tag == Tag::ListInt; }
    bool isBoolList() const { return tag == Tag::ListBool; }
    bool isDoubleList() const { return tag == Tag::ListDouble; }
    bool isTensorList() const { return tag == Tag::ListTensor; }
    bool isListOptionalTensor() const { return tag == Tag::ListOptionalTensor; }

    // tryTo*() fail with InvalidType for another kind, to*() end the call.
#define ET_INTERNAL_CONTENT(Name, Type, test, content)                                        \
    Type to##Name() const {                                                                   \
        ET_CHECK_MSG(test, "expected a value of kind " #Name ", got %s", tag_to_string(tag)); \
        return content;                                                                       \
    }                                                                                         \
    Result<Type> tryTo##Name() const {                                                        \
        if (!(test)) {                                                                        \
            return Error::InvalidType;                                                        \
        }                                                                                     \
        return Type(content);                                                                 \
    }
    ET_INTERNAL_CONTENT(Int, int64_t, isInt(), payload.copyable_union.as_int)
    ET_INTERNAL_CONTENT(Double, double, isDouble(), payload.copyable_union.as_double)
    ET_INTERNAL_CONTENT(Bool, bool, isBool(), payload.copyable_union.as_bool)
    ET_INTERNAL_CONTENT(Scalar, aten::Scalar, isScalar(),
                        isInt()      ? aten::Scalar(payload.copyable_union.as_int)
                        : isDouble() ? aten::Scalar(payload.copyable_union.as_double)
                                     : aten::Scalar(payload.copyable_union.as_bool))
    ET_INTERNAL_CONTENT(String, std::string_view, isString(),
                        std::string_view(payload.copyable_union.as_string_ptr->data(),
                                         payload.copyable_union.as_string_ptr->size()))
    ET_INTERNAL_CONTENT(IntList, aten::ArrayRef<int64_t>, isIntList(),
                        payload.copyable_union.as_int_list_ptr->get())
    ET_INTERNAL_CONTENT(BoolList, aten::ArrayRef<bool>, isBoolList(),
                        *payload.copyable_union.as_bool_list_ptr)
    ET_INTERNAL_CONTENT(DoubleList, aten::ArrayRef<double>, isDoubleList(),
                        *payload.copyable_union.as_double_list_ptr)
    ET_INTERNAL_CONTENT(TensorList, aten::ArrayRef<aten::Tensor>, isTensorList(),
                        payload.copyable_union.as_tensor_list_ptr->get())
    ET_INTERNAL_CONTENT(ListOptionalTensor, aten::ArrayRef<std::optional<aten::Tensor>>,
                        isListOptionalTensor(), payload.copyable_union.as_list_optional_tensor_ptr->get())
    ET_INTERNAL_CONTENT(ScalarType, aten::ScalarType, isInt(),
                        static_cast<aten::ScalarType>(payload.copyable_union.as_int))
    ET_INTERNAL_CONTENT(MemoryFormat, aten::MemoryFormat, isInt(),
                        static_cast<aten::MemoryFormat>(payload.copyable_union.as_int))
    ET_INTERNAL_CONTENT(Layout, aten::Layout, isInt(),
                        static_cast<aten::Layout>(payload.copyable_union.as_int))
    ET_INTERNAL_CONTENT(Device, aten::Device, isInt(),
                        aten::Device(static_cast<aten::DeviceType>(payload.copyable_union.as_int), -1))
#undef ET_INTERNAL_CONTENT

    aten::Tensor& toTensor() & {
        ET_CHECK_MSG(isTensor(), "expected a value of kind Tensor, got %s", tag_to_string(tag));
        return payload.as_tensor;
    }
    const aten::Tensor& toTensor() const& {
        ET_CHECK_MSG(isTensor(), "expected a value of kind Tensor, got %s", tag_to_string(tag));
        return payload.as_tensor;
    }
    aten::Tensor toTensor() && { return static_cast<EValue&>(*this).toTensor(); }
    Result<aten::Tensor> tryToTensor() const {
        if (!isTensor()) {
            return Error::InvalidType;
        }
        return aten::Tensor(payload.as_tensor);
    }

    template <typename T>
    T to() const;
    template <typename T>
    Result<T> tryTo() const;

    template <typename T>
    std::optional<T> toOptional() const {
        if (isNone()) {
            return std::nullopt;
        }
        return to<T>();
    }
    template <typename T>
    Result<std::optional<T>> tryToOptional() const {
        if (isNone()) {
            return std::optional<T>();
        }
        auto content = tryTo<T>();
        if (!content.ok()) {
            return content.error();
        }
        return std::optional<T>(std::move(content.get()));
    }

  private:
    void copyFrom(const EValue& other) {
        if (other.isTensor()) {
            new (&payload.as_tensor) aten::Tensor(other.payload.as_tensor);
        } else {
            payload.copyable_union = other.payload.copyable_union;
        }
        tag = other.tag;
    }
};

#define ET_INTERNAL_TO(Type, name)                                                  \
    template <>                                                                     \
    inline Type EValue::to<Type>() const {                                          \
        return to##name();                                                          \
    }                                                                               \
    template <>                                                                     \
    inline Result<Type> EValue::tryTo<Type>() const {                               \
        return tryTo##name();                                                       \
    }                                                                               \
    template <>                                                                     \
    inline std::optional<Type> EValue::to<std::optional<Type>>() const {            \
        return toOptional<Type>();                                                  \
    }                                                                               \
    template <>                                                                     \
    inline Result<std::optional<Type>> EValue::tryTo<std::optional<Type>>() const { \
        return tryToOptional<Type>();                                               \
    }
ET_INTERNAL_TO(aten::Scalar, Scalar)
ET_INTERNAL_TO(int64_t, Int)
ET_INTERNAL_TO(bool, Bool)
ET_INTERNAL_TO(double, Double)
ET_INTERNAL_TO(std::string_view, String)
ET_INTERNAL_TO(aten::ScalarType, ScalarType)
ET_INTERNAL_TO(aten::MemoryFormat, MemoryFormat)
ET_INTERNAL_TO(aten::Layout, Layout)
ET_INTERNAL_TO(aten::Device, Device)
ET_INTERNAL_TO(aten::Tensor, Tensor)
ET_INTERNAL_TO(aten::ArrayRef<int64_t>, IntList)
ET_INTERNAL_TO(aten::ArrayRef<double>, DoubleList)
ET_INTERNAL_TO(aten::ArrayRef<bool>, BoolList)
ET_INTERNAL_TO(aten::ArrayRef<aten::Tensor>, TensorList)
ET_INTERNAL_TO(aten::ArrayRef<std::optional<aten::Tensor>>, ListOptionalTensor)
#undef ET_INTERNAL_TO

template <typename T>
aten::ArrayRef<T> BoxedEvalueList<T>::get() const {
    for (size_t i = 0; i < items.size(); ++i) {
        if constexpr (std::is_same_v<T, std::optional<aten::Tensor>>) {
            contents[i] = items[i] == nullptr ? std::nullopt : items[i]->template to<T>();
        } else {
            ET_CHECK_MSG(items[i] != nullptr, "an item of a list is missing");
            contents[i] = items[i]->template to<T>();
        }
    }
    return {contents, items.data() == nullptr ? current_size : items.size()};
}

template <typename T>
Result<aten::ArrayRef<T>> BoxedEvalueList<T>::tryGet() const {
    for (size_t i = 0; i < items.size(); ++i) {
        const bool may_miss = std::is_same_v<T, std::optional<aten::Tensor>>;
        if (items[i] == nullptr && !may_miss) {
            return Error::InvalidState;
        }
        if (items[i] != nullptr && !items[i]->template tryTo<T>().ok()) {
            return Error::InvalidType;
        }
    }
    return get();
}

}  // namespace executorch::runtime

namespace torch::executor {
using ::executorch::runtime::BoxedEvalueList;
using ::executorch::runtime::EValue;
}  // namespace torch::executor
