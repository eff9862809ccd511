// Values of the host as EValues.

#include <et_inspect/adapter.h>

#include <optional>
#include <utility>
#include <vector>

namespace et_inspect {
namespace {

using executorch::aten::ArrayRef;
using executorch::aten::Tensor;
using executorch::runtime::BoxedEvalueList;
using executorch::runtime::EValue;
using executorch::runtime::Span;

/// A value of the host as an EValue, with memory for lists.
struct AdaptedValue {
    EValue value;
    ArrayRef<char> text;
    ArrayRef<double> doubles;
    ArrayRef<bool> bools;
    BoxedEvalueList<int64_t> integers;
    BoxedEvalueList<Tensor> tensors;
    BoxedEvalueList<std::optional<Tensor>> optionals;
    std::vector<Tensor> tensorItems;
    std::vector<std::optional<Tensor>> optionalItems;

    void set(const ValueSlot& slot);
    void setTensors(const ValueSlot& slot);
    void setOptionals(const ValueSlot& slot);
};

/// Generated kernels index their arguments without a check: these follow the last one.
constexpr size_t missingArguments = 64;

struct AdaptedCall {
    std::vector<AdaptedValue> values;
    EValue none;
    std::vector<EValue*> stack;
};

template <class T>
T* itemsOf(const ValueSlot& slot) {
    return static_cast<T*>(const_cast<void*>(slot.items));
}

void AdaptedValue::setTensors(const ValueSlot& slot) {
    tensorItems.clear();
    for (uint64_t i = 0; i < slot.count; ++i) {
        tensorItems.push_back(TensorAccess::tensorOf(*itemsOf<TensorSlot*>(slot)[i]));
    }
    tensors = {tensorItems.data(), tensorItems.size()};
    value = EValue(&tensors);
}

void AdaptedValue::setOptionals(const ValueSlot& slot) {
    optionalItems.clear();
    for (uint64_t i = 0; i < slot.count; ++i) {
        TensorSlot* const item = itemsOf<TensorSlot*>(slot)[i];
        optionalItems.push_back(item == nullptr ? std::nullopt
                                                : std::optional(TensorAccess::tensorOf(*item)));
    }
    optionals = {optionalItems.data(), optionalItems.size()};
    value = EValue(&optionals);
}

void AdaptedValue::set(const ValueSlot& slot) {
    switch (slot.kind) {
        case Kind::Tensor:
            value = EValue(TensorAccess::tensorOf(*slot.tensor));
            return;
        case Kind::Int:
            value = EValue(slot.integer);
            return;
        case Kind::Double:
            value = EValue(slot.number);
            return;
        case Kind::Bool:
            value = EValue(slot.integer != 0);
            return;
        case Kind::String:
            text = {itemsOf<char>(slot), slot.count};
            value = EValue(&text);
            return;
        case Kind::ListInt:
            integers = {itemsOf<int64_t>(slot), slot.count};
            value = EValue(&integers);
            return;
        case Kind::ListDouble:
            doubles = {itemsOf<double>(slot), slot.count};
            value = EValue(&doubles);
            return;
        case Kind::ListBool:
            bools = {itemsOf<bool>(slot), slot.count};
            value = EValue(&bools);
            return;
        case Kind::ListTensor:
            setTensors(slot);
            return;
        case Kind::ListOptionalTensor:
            setOptionals(slot);
            return;
        default:
            value = EValue();
    }
}

/// Reports a number that the call changed.
void writeBack(const EValue& value, ValueSlot& slot, Call& call) {
    ValueSlot now = slot;
    if (value.isInt()) {
        now.kind = Kind::Int;
        now.integer = value.payload.copyable_union.as_int;
    } else if (value.isDouble()) {
        now.kind = Kind::Double;
        now.number = value.payload.copyable_union.as_double;
    } else if (value.isBool()) {
        now.kind = Kind::Bool;
        now.integer = value.payload.copyable_union.as_bool ? 1 : 0;
    } else {
        return;
    }
    if (now.kind != slot.kind || now.integer != slot.integer) {
        slot = now;
        call.isChanged = true;
    }
}

}  // namespace

Span<EValue*> adapt(Call& call) {
    auto* adapted = static_cast<AdaptedCall*>(call.adapted);
    if (adapted == nullptr || adapted->values.size() != call.count) {
        delete adapted;
        adapted = new AdaptedCall;
        call.adapted = adapted;
        adapted->values.resize(call.count);
        for (AdaptedValue& each : adapted->values) {
            adapted->stack.push_back(&each.value);
        }
        adapted->stack.resize(call.count + missingArguments, &adapted->none);
    }
    for (uint64_t i = 0; i < call.count; ++i) {
        adapted->values[i].set(call.values[i]);
    }
    return {adapted->stack.data(), static_cast<size_t>(call.count)};
}

void takeChanges(Call& call) {
    auto& adapted = *static_cast<AdaptedCall*>(call.adapted);
    for (uint64_t i = 0; i < call.count; ++i) {
        writeBack(adapted.values[i].value, call.values[i], call);
    }
}

void releaseValues(void* adapted) {
    delete static_cast<AdaptedCall*>(adapted);
}

}  // namespace et_inspect
