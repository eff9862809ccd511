#include "inspector/numeric_gap/runtime_values.h"

#include "inspector/names/operator_names.h"
#include "inspector/numeric_gap/tensor_numbers.h"

#include <algorithm>
#include <utility>

namespace et::inspector {

using backends::reference::ReferenceTensor;
using backends::reference::ReferenceValue;

bool RuntimeCall::isDelegate() const {
    return name == names::detail::delegateCall;
}

core::TraceName ValueTracer::name(std::string_view text) {
    const auto known = std::ranges::find(names, text);
    const auto at = static_cast<std::uint32_t>(known - names.begin());
    if (known == names.end()) {
        names.emplace_back(text);
    }
    return core::TraceName(at);
}

void ValueTracer::beginRun(std::string_view) {
    values = {};
    left = budget;
    running.reset();
}

void ValueTracer::profile(core::TraceName, const core::TraceIds& ids, std::uint64_t, std::uint64_t,
                          core::Bytes) {
    if (ids.delegateString.empty() && ids.delegateInt < 0) {
        running.reset();  // the call ended; later values with the same name belong to its next iteration
    }
}

RuntimeCall& ValueTracer::callOf(core::TraceName event, const core::TraceIds& ids) {
    const bool goesOn = running == event && runningIds.chain == ids.chain &&
                        runningIds.instruction == ids.instruction && !values.calls.empty();
    if (goesOn) {
        return values.calls.back();
    }
    running = event;
    runningIds = {.chain = ids.chain, .instruction = ids.instruction};
    std::erase_if(values.calls, [&](const RuntimeCall& each) {
        return each.chain == ids.chain && each.instruction == ids.instruction;
    });
    return values.calls.emplace_back(RuntimeCall{
        .name = names[event.value], .chain = ids.chain, .instruction = ids.instruction, .values = {}});
}

void ValueTracer::debug(core::TraceName event, const core::TraceIds& ids, core::Value& value,
                        bool methodOutput) {
    if (methodOutput) {
        return;
    }
    RuntimeCall& call = callOf(event, ids);
    call.values.push_back(keep(value).value_or(ReferenceValue{}));
}

void ValueTracer::tapSite(const core::TapSite& next) {
    site = next;
}

void ValueTracer::tap(const core::TraceIds& ids, core::Value& value) {
    const auto* tensor = value.as<core::Tensor>();
    auto kept = tensor == nullptr ? std::nullopt : keep(*tensor);
    if (!kept) {
        return;
    }
    std::erase_if(values.taps, [&](const TappedValue& each) {
        return each.chain == ids.chain && each.instruction == ids.instruction && each.value == site.value;
    });
    values.taps.push_back(
        {.chain = ids.chain,
         .instruction = ids.instruction,
         .kind = std::string(site.nodeKind),
         .value = site.value,
         .handle = site.debugHandle ? std::optional(core::DebugHandle(*site.debugHandle)) : std::nullopt,
         .tensor = *std::move(kept)});
}

RuntimeValues ValueTracer::take() {
    running.reset();
    return std::exchange(values, {});
}

std::optional<ReferenceTensor> ValueTracer::keep(const core::Tensor& tensor) {
    if (tensor.bytes() > left) {
        ++values.leftOut;
        return std::nullopt;
    }
    auto copy = rowMajorCopy(tensor);
    if (!copy) {
        ++values.leftOut;
        return std::nullopt;
    }
    left -= tensor.bytes();
    return store == nullptr ? *std::move(copy) : store->keep(*std::move(copy));
}

std::optional<ReferenceValue> ValueTracer::keep(core::Value& value) {
    if (const auto* tensor = value.as<core::Tensor>()) {
        auto kept = keep(*tensor);
        return kept ? std::optional(ReferenceValue{*std::move(kept)}) : std::nullopt;
    }
    if (const auto* number = value.as<std::int64_t>()) {
        return ReferenceValue{*number};
    }
    if (const auto* real = value.as<double>()) {
        return ReferenceValue{*real};
    }
    if (const auto* truth = value.as<bool>()) {
        return ReferenceValue{*truth};
    }
    if (const auto tensors = value.tensors(true)) {
        ReferenceValue::List list;
        for (const core::Tensor* each : *tensors) {
            auto kept = each == nullptr ? std::nullopt : keep(*each);
            list.push_back(kept ? ReferenceValue{*std::move(kept)} : ReferenceValue{});
        }
        return ReferenceValue{std::move(list)};
    }
    return ReferenceValue{};
}

}  // namespace et::inspector
