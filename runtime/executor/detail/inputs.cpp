#include "runtime/executor/detail/method_impl.h"
#include "runtime/kernels/strided_copy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace et::executor {
namespace {

using core::ErrorCode;
using core::Tensor;

std::string_view kindName(const InputValue& value) {
    static constexpr std::array<std::string_view, std::variant_size_v<InputValue>> names{
        "None", "Tensor", "Int", "Double", "Bool"};
    return names[value.index()];
}

bool sizesFit(const Tensor& planned, std::span<const std::int64_t> sizes) {
    switch (planned.resizable()) {
        case Tensor::Shape::Fixed:
            return std::ranges::equal(planned.sizes(), sizes);
        case Tensor::Shape::Bounded:
            return std::ranges::equal(sizes, planned.sizes(), [](std::int64_t size, std::int64_t max) {
                return size >= 0 && size <= max;
            });
        case Tensor::Shape::Growing:
            return sizes.size() == planned.dim() &&
                   std::ranges::all_of(sizes, [](auto size) { return size >= 0; });
    }
    return false;
}

core::Result<> checkTensor(const Tensor& planned, const TensorInput& given) {
    const std::string_view atMost = planned.resizable() == Tensor::Shape::Fixed ? "" : "at most ";
    if (given.dtype != planned.dtype() || !sizesFit(planned, given.sizes)) {
        return core::fail(ErrorCode::InvalidArgument,
                          fmt::format("expected {} {}{}, got {} {}", core::scalarTypeName(planned.dtype()),
                                      atMost, core::sizesText(planned.sizes()),
                                      core::scalarTypeName(given.dtype), core::sizesText(given.sizes)));
    }
    return {};
}

core::Result<> checkBytes(const TensorInput& given, std::size_t expected) {
    if (given.data.size() != expected) {
        return core::fail(ErrorCode::InvalidArgument,
                          fmt::format("expected {} bytes, got {}", expected, given.data.size()));
    }
    return {};
}

core::Result<> copyInto(const kernels::ThreadPool& threads, const TensorInput& given, Tensor& tensor) {
    ET_TRY(tensor.resize(given.sizes));
    if (given.dimOrder.empty() && tensor.isContiguous()) {
        // The inputs of a language model's decode step are a few bytes: planning the copy would cost more.
        ET_TRY(checkBytes(given, tensor.bytes()));
        if (!given.data.empty()) {
            std::memcpy(tensor.raw(), given.data.data(), given.data.size());
        }
        return {};
    }
    ET_ASSIGN(const Tensor source,
              Tensor::make(given.dtype, given.sizes,
                           // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): only read from
                           const_cast<std::byte*>(given.data.data()), given.dimOrder));
    ET_TRY(checkBytes(given, source.bytes()));
    return kernels::copyElements(threads, kernels::viewOf(source), kernels::viewOf(tensor));
}

/// Copies elements into the tensor that was set before if its layout still matches: a language model's inputs
/// change with every step, their sizes rarely. Returns false if it does not match.
bool refill(const InputSlot& slot, const TensorInput& given) {
    const auto* const tensor = slot.value->as<Tensor>();
    if (tensor == nullptr || tensor->raw() == nullptr || tensor->raw() != slot.planned.raw() ||
        tensor->dtype() != given.dtype || slot.planned.isConstant() || !given.dimOrder.empty() ||
        given.data.size() != tensor->bytes() || !std::ranges::equal(tensor->sizes(), given.sizes) ||
        !tensor->isContiguous()) {
        return false;
    }
    std::memcpy(tensor->raw(), given.data.data(), given.data.size());
    return true;
}

/// Checks a scalar input. Its value is fixed at export and cannot be changed.
core::Result<> checkNumber(const program::Value& declared, const InputValue& given) {
    const auto wrong = [&](const auto& expected) {
        return core::fail(
            ErrorCode::InvalidArgument,
            fmt::format("expected {} {} as exported, got {}", program::valueTypeName(declared), expected,
                        std::visit(
                            []<class T>(const T& value) -> std::string {
                                if constexpr (std::is_arithmetic_v<T>) {
                                    return fmt::format("{}", value);
                                } else {
                                    return "no number";
                                }
                            },
                            given)));
    };
    if (const auto* number = declared.as<std::int64_t>()) {
        const auto* same = std::get_if<std::int64_t>(&given);
        return same != nullptr && *same == *number ? core::Result<>{} : wrong(*number);
    }
    if (const auto* number = declared.as<double>()) {
        const auto* same = std::get_if<double>(&given);
        return same != nullptr && (*same == *number || (*same != *same && *number != *number))
                   ? core::Result<>{}
                   : wrong(*number);
    }
    if (const auto* truth = declared.as<bool>()) {
        const auto* same = std::get_if<bool>(&given);
        return same != nullptr && *same == *truth ? core::Result<>{} : wrong(*truth);
    }
    if (declared.is<std::monostate>() && !std::holds_alternative<TensorInput>(given)) {
        return {};
    }
    return core::fail(ErrorCode::InvalidArgument,
                      fmt::format("expected {}, got {}", program::valueTypeName(declared), kindName(given)));
}

void setNumber(core::Value& slot, const InputValue& given) {
    std::visit(
        [&]<class T>(const T& value) {
            if constexpr (!std::is_same_v<T, TensorInput>) {
                slot.set(value);
            }
        },
        given);
}

std::unexpected<core::Error> atSlot(core::Error error, std::string_view kind, std::size_t index) {
    error.where.field = fmt::format("{}[{}]", kind, index);
    return std::unexpected(std::move(error));
}

core::Result<> checkMemory(const Tensor& tensor, std::span<std::byte> memory) {
    if (memory.size() < tensor.bytes()) {
        return core::fail(ErrorCode::InvalidArgument,
                          fmt::format("expected memory of {} bytes for {}, got {}", tensor.bytes(),
                                      describe(tensor), memory.size()));
    }
    const std::size_t alignment = tensor.elementSize();
    if (reinterpret_cast<std::uintptr_t>(memory.data()) % alignment != 0) {
        return core::fail(ErrorCode::InvalidArgument,
                          fmt::format("expected memory aligned to {} bytes", alignment));
    }
    return {};
}

/// Binds memory of the caller, which cannot grow.
void bindMemory(Tensor& tensor, std::span<std::byte> memory) {
    tensor.setMemory(memory.data(), memory.size());
    if (tensor.resizable() == Tensor::Shape::Growing) {
        tensor.setShape(Tensor::Shape::Bounded);
    }
}

std::unexpected<core::Error> notTheCallers() {
    return core::fail(ErrorCode::InvalidArgument, "expected a tensor without planned memory");
}

}  // namespace

void Method::Impl::findInputs() {
    for (const program::ValueId id : method.inputs) {
        InputSlot slot{.value = &values.at(id), .planned = {}};
        if (auto* const tensor = slot.value->as<Tensor>()) {
            slot.isTensor = true;
            slot.own = tensor;
            slot.planned = *tensor;
            const auto& info = *method.value(id).as<program::TensorInfo>();
            slot.isPlanned = info.allocation.has_value() || tensor->isConstant();
        }
        inputs.push_back(slot);
    }
    const auto isBindable = [&](program::ValueId id) {
        const auto* info = method.value(id).as<program::TensorInfo>();
        return info != nullptr && !info->allocation && info->initialData == program::InitialData::None;
    };
    if (std::ranges::none_of(method.inputs, isBindable) && std::ranges::none_of(method.outputs, isBindable)) {
        return;
    }
    for (core::Value& value : values.values) {
        auto* const tensor = value.as<Tensor>();
        if (tensor != nullptr && !std::ranges::contains(inputs, &value, &InputSlot::value)) {
            loadedTensors.push_back({.value = &value, .own = tensor, .content = *tensor});
        }
    }
}

void Method::Impl::forgetInputs() {
    for (InputSlot& slot : inputs) {
        slot.isSet = false;
    }
}

/// Resets views and moved values that may still point to memory that the caller replaces.
void Method::Impl::forgetAliases() {
    auto loaded = loadedTensors.begin();  // in value order
    for (const InputSlot& slot : inputs) {
        if (slot.isTensor) {
            slot.value->setIn(slot.own);
        }
    }
    for (core::Value& value : values.values) {
        if (loaded != loadedTensors.end() && loaded->value == &value) {
            *loaded->own = loaded->content;
            value.setIn(loaded->own);
            ++loaded;
        } else if (value.as<Tensor>() != nullptr &&
                   !std::ranges::contains(inputs, &value, &InputSlot::value)) {
            value.set(std::monostate{});
        }
    }
}

core::Result<> Method::Impl::setInput(std::size_t index, const InputValue& value) {
    if (index >= inputs.size()) {
        return core::fail(ErrorCode::InvalidArgument,
                          fmt::format("expected an input index below {}, got {}", inputs.size(), index));
    }
    InputSlot& slot = inputs[index];
    if (!slot.isTensor) {
        const program::Value& declared = method.value(method.inputs[index]);
        if (auto checked = checkNumber(declared, value); !checked) {
            return atSlot(std::move(checked).error(), "inputs", index);
        }
        if (declared.is<std::monostate>()) {
            setNumber(*slot.value, value);
        }
        return {};
    }
    slot.value->setIn(slot.own);
    const auto* given = std::get_if<TensorInput>(&value);
    if (given != nullptr && !given->data.empty() && refill(slot, *given)) {
        slot.isSet = true;
        return {};
    }
    auto done = given == nullptr
                    ? core::Result<>(core::fail(
                          ErrorCode::InvalidArgument,
                          fmt::format("expected {}, got {}", describe(slot.planned), kindName(value))))
                    : checkTensor(slot.planned, *given);
    if (done && slot.planned.isConstant()) {
        done = core::fail(ErrorCode::InvalidArgument, "this input is a constant of the program");
    }
    if (done) {
        Tensor tensor = slot.planned;
        done = copyInto(module.environment.threads, *given, tensor);
        slot.value->set(tensor);
    }
    if (!done) {
        return atSlot(std::move(done).error(), "inputs", index);
    }
    slot.isSet = true;
    return {};
}

core::Result<> Method::Impl::checkInputs() const {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const InputSlot& slot = inputs[i];
        if (slot.isTensor && !slot.isSet && !slot.isBound && slot.planned.numel() > 0 &&
            !slot.planned.isConstant()) {
            return core::fail(ErrorCode::InvalidArgument,
                              fmt::format("expected {}, got nothing", describe(slot.planned)),
                              {.file = {}, .field = fmt::format("inputs[{}]", i), .offset = {}});
        }
    }
    return {};
}

core::Result<> Method::setInput(std::size_t index, const InputValue& value) {
    return impl->setInput(index, value);
}

core::Result<> Method::setInputs(std::span<const InputValue> given) {
    if (given.size() != inputCount()) {
        return core::fail(ErrorCode::InvalidArgument,
                          fmt::format("expected {} input{}, got {}", inputCount(),
                                      inputCount() == 1 ? "" : "s", given.size()));
    }
    for (std::size_t i = 0; i < given.size(); ++i) {
        ET_TRY(impl->setInput(i, given[i]));
    }
    return {};
}

core::Result<> Method::bindInput(std::size_t index, std::span<std::byte> memory) {
    if (index >= impl->inputs.size() || !impl->inputs[index].isTensor || impl->inputs[index].isPlanned) {
        return atSlot(notTheCallers().error(), "inputs", index);
    }
    InputSlot& slot = impl->inputs[index];
    if (auto checked = checkMemory(slot.planned, memory); !checked) {
        return atSlot(std::move(checked).error(), "inputs", index);
    }
    impl->forgetAliases();
    bindMemory(slot.planned, memory);
    slot.value->set(slot.planned);
    slot.isBound = true;
    return {};
}

core::Result<> Method::bindOutput(std::size_t index, std::span<std::byte> memory) {
    if (index >= outputCount()) {
        return atSlot(notTheCallers().error(), "outputs", index);
    }
    const program::ValueId id = impl->method.outputs[index];
    const auto* info = impl->method.value(id).as<program::TensorInfo>();
    const auto loaded = std::ranges::find(impl->loadedTensors, &impl->values.at(id), &LoadedTensor::value);
    // An output that is also an input is among the inputs.
    if (info == nullptr || info->allocation || loaded == impl->loadedTensors.end() ||
        loaded->content.isConstant()) {
        return atSlot(notTheCallers().error(), "outputs", index);
    }
    if (auto checked = checkMemory(loaded->content, memory); !checked) {
        return atSlot(std::move(checked).error(), "outputs", index);
    }
    impl->forgetAliases();
    bindMemory(loaded->content, memory);
    loaded->value->set(loaded->content);
    return {};
}

}  // namespace et::executor
