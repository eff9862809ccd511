#include "backends/reference/delegate_values.h"

#include "runtime/kernels/strided_copy.h"

#include <fmt/format.h>

#include <type_traits>

namespace et::backends::reference {

using core::ErrorCode;
using core::fail;
using core::Result;

Result<ReferenceValue> referenceOf(const core::Value& argument) {
    if (const auto* tensor = argument.as<core::Tensor>()) {
        core::Tensor view = *tensor;
        view.setShape(core::Tensor::Shape::Fixed);
        return ReferenceValue{ReferenceTensor{.view = view, .owner = nullptr}};
    }
    if (const auto number = argument.as<std::int64_t>()) {
        return ReferenceValue{*number};
    }
    if (const auto number = argument.as<double>()) {
        return ReferenceValue{*number};
    }
    if (const auto truth = argument.as<bool>()) {
        return ReferenceValue{*truth};
    }
    return argument.isNone()
               ? Result<ReferenceValue>(ReferenceValue{})
               : fail(ErrorCode::Unsupported, fmt::format("an argument of kind {}", argument.kindName()));
}

Result<> writeArgument(const ReferenceValue& from, core::Value& to, const kernels::ThreadPool& threads) {
    auto* target = to.as<core::Tensor>();
    const auto* tensor = from.as<ReferenceTensor>();
    if ((target != nullptr) != (tensor != nullptr)) {
        return fail(ErrorCode::Mismatch,
                    fmt::format("a result whose kind differs from the program's {}", to.kindName()));
    }
    if (tensor == nullptr) {
        return std::visit(
            [&](const auto& content) -> Result<> {
                using Content = std::remove_cvref_t<decltype(content)>;
                if constexpr (std::is_arithmetic_v<Content>) {
                    to.set(content);
                    return {};
                }
                return fail(ErrorCode::Unsupported, "a result that is neither a tensor nor a number");
            },
            from.content);
    }
    if (target->dtype() != tensor->view.dtype()) {
        return fail(ErrorCode::Mismatch, fmt::format("expected a result of {}, got {}",
                                                     core::describe(*target), core::describe(tensor->view)));
    }
    ET_TRY(target->resize(tensor->view.sizes()));
    return kernels::copyElements(threads, kernels::viewOf(tensor->view), kernels::viewOf(*target));
}

std::uint64_t BufferState::countBytes(std::unordered_set<const void*>& counted) const {
    std::uint64_t total = 0;
    for (const auto& [name, value] : buffers) {
        const auto* const tensor = value.as<ReferenceTensor>();
        const bool isNew = tensor != nullptr && counted.insert(tensor->owner.get()).second;
        total += isNew ? tensor->view.bytes() : 0;
    }
    return total;
}

Result<std::shared_ptr<const executor::DelegateState>> saveBuffers(Interpreter& interpreter,
                                                                   const std::vector<std::string>& names) {
    if (names.empty()) {
        return nullptr;
    }
    auto saved = std::make_shared<BufferState>();
    ET_ASSIGN(saved->buffers, interpreter.evaluate(names, {}));
    return saved;
}

Result<> restoreBuffers(Interpreter& interpreter, const executor::DelegateState& state) {
    for (const auto& [name, value] : dynamic_cast<const BufferState&>(state).buffers) {
        ET_TRY(interpreter.setBuffer(name, value));
    }
    return {};
}

}  // namespace et::backends::reference
