#include "app/tasks/reduce/nan_origin.h"

#include "app/tasks/soak/number_kinds.h"
#include "bundled_program/compare.h"

#include <algorithm>
#include <cmath>
#include <variant>

namespace et::tasks {
namespace {

using backends::reference::ReferenceTensor;
using backends::reference::ReferenceValue;
using bundled_program::BundledTensor;
using bundled_program::BundledValue;
using core::ErrorCode;
using core::fail;
using core::Result;

bool hasNan(const core::Tensor& tensor) {
    return countKinds(tensor)[NumberKind::Nan] > 0;
}

bool hasNan(const ReferenceValue& value) {
    if (const auto* const tensor = value.as<ReferenceTensor>()) {
        return hasNan(tensor->view);
    }
    if (const auto* const list = value.as<ReferenceValue::List>()) {
        return std::ranges::any_of(*list, [](const ReferenceValue& each) { return hasNan(each); });
    }
    const auto* const number = value.as<double>();
    return number != nullptr && std::isnan(*number);
}

}  // namespace

bool hasNan(const std::vector<BundledValue>& values) {
    return std::ranges::any_of(values, [](const BundledValue& value) {
        const auto* const tensor = std::get_if<BundledTensor>(&value);
        const auto view = tensor == nullptr ? Result<core::Tensor>(fail(ErrorCode::Unsupported, ""))
                                            : bundled_program::tensorOver(*tensor);
        const auto* const number = std::get_if<double>(&value);
        return (view && hasNan(*view)) || (number != nullptr && std::isnan(*number));
    });
}

std::optional<NanOrigin> firstNan(const inspector::RuntimeValues& values) {
    const auto tap =
        std::ranges::find_if(values.taps, [](const auto& each) { return hasNan(each.tensor.view); });
    const auto call = std::ranges::find_if(values.calls, [](const auto& each) {
        return std::ranges::any_of(each.values, [](const ReferenceValue& value) { return hasNan(value); });
    });
    // Values inside a call precede the outputs of the call.
    if (tap != values.taps.end() && (call == values.calls.end() || tap->instruction <= call->instruction)) {
        return NanOrigin{
            .instruction = static_cast<std::size_t>(tap->instruction), .inner = tap->value, .op = tap->kind};
    }
    if (call == values.calls.end()) {
        return std::nullopt;
    }
    return NanOrigin{
        .instruction = static_cast<std::size_t>(call->instruction), .inner = {}, .op = call->name};
}

}  // namespace et::tasks
