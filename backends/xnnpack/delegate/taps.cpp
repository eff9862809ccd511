#include "backends/xnnpack/delegate/taps.h"

#include "backends/xnnpack/format/cut_payload.h"
#include "backends/xnnpack/library/constant_data.h"
#include "backends/xnnpack/nodes/stored_types.h"
#include "runtime/core/operator_counter.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>
#include <utility>

namespace et::backends::xnnpack {
namespace {

using core::Result;
using core::ScalarType;

/// Larger values are freed when they are delivered: together, they may exceed the weights.
constexpr std::size_t minFreedBytes = std::size_t{256} * 1024;

/// A value quantized at run time is delivered as dequantized numbers.
bool canBeTapped(Datatype type) {
    return isHeldByTensors(type) || type == Datatype::QDInt8;
}

bool isRead(const PayloadNode& node, ValueIndex value) {
    return std::ranges::contains(node.inputs, value);
}

struct TappedType {
    Datatype ours;
    ScalarType tensor;
};
constexpr std::array tappedTypes = std::to_array<TappedType>({
    {Datatype::Fp32, ScalarType::Float},
    {Datatype::Fp16, ScalarType::Half},
    {Datatype::QInt8, ScalarType::Char},
    {Datatype::QUInt8, ScalarType::Byte},
    {Datatype::Int32, ScalarType::Int},
});

std::optional<std::uint32_t> handleOf(const PayloadNode& node) {
    return node.debugHandle == noDebugHandle ? std::nullopt : std::optional(node.debugHandle);
}

core::TapSite siteOf(const Payload& payload, const Tap& tap) {
    const PayloadNode& node = payload.nodes[tap.node];
    return {
        .nodeKind = node.traits->name, .value = payload.value(tap.value).id, .debugHandle = handleOf(node)};
}

/// The id as a delegate id of traces, where -1 means none.
std::int32_t intId(const PayloadValue& value) {
    return static_cast<std::int32_t>(value.id & 0x7fffffffU);
}

}  // namespace

std::vector<Tap> tappableValues(const Payload& payload) {
    std::vector<Tap> taps;
    for (std::size_t node = 0; node < payload.nodes.size(); ++node) {
        for (const ValueIndex output : payload.nodes[node].outputs) {
            if (canBeTapped(payload.value(output).datatype)) {
                taps.push_back({.value = output, .node = node, .external = 0});
            }
        }
    }
    return taps;
}

Payload promote(const Payload& payload, std::span<Tap> taps) {
    Payload promoted = payload;
    for (Tap& tap : taps) {
        const auto known = std::ranges::find(promoted.externals, tap.value);
        tap.external = static_cast<std::size_t>(known - promoted.externals.begin());
        if (known == promoted.externals.end()) {
            promoted.externals.push_back(tap.value);
            promoted.values[tap.value].isOutput = true;
        }
    }
    return promoted;
}

const ProfiledOperator* operatorOf(const Payload& payload, std::span<const ProfiledOperator> operators,
                                   const Tap& tap) {
    const auto has = [&](const ProfiledOperator& each) {
        return each.nodes && std::ranges::contains(*each.nodes, tap.node);
    };
    const auto found = std::ranges::find_if(operators, has);
    if (found == operators.end()) {
        return nullptr;
    }
    // A value read by another node of the same operator stays inside the operator.
    const bool goesOn = std::ranges::any_of(
        *found->nodes, [&](std::size_t node) { return isRead(payload.nodes[node], tap.value); });
    return goesOn ? nullptr : &*found;
}

std::vector<std::string> changedOperators(std::span<const ProfiledOperator> before,
                                          std::span<const ProfiledOperator> after) {
    std::vector<std::string> changed;
    std::size_t next = 0;
    for (const ProfiledOperator& each : before) {
        // Both are in node order.
        std::size_t i = next;
        while (i < after.size() && (after[i].nodes != each.nodes ||
                                    core::withoutCounter(after[i].name) != core::withoutCounter(each.name))) {
            ++i;
        }
        if (i == after.size()) {
            changed.push_back(each.name);
        } else {
            next = i + 1;
        }
    }
    return changed;
}

Taps Taps::make(const Source& source, core::EventTracer& tracer) {
    Taps made;
    made.wantedBy = &tracer;
    made.ownExternals = source.payload.externals.size();
    made.widenHalf = source.widenHalf;
    for (const Tap& each : tappableValues(source.payload)) {
        if (tracer.wantsTap(siteOf(source.payload, each))) {
            made.taps.push_back(each);
        }
    }
    if (!made.taps.empty()) {
        if (auto prepared = made.prepare(source); !prepared) {
            made.failure = std::move(prepared).error();
        }
    }
    return made;
}

Result<> Taps::prepare(const Source& source) {
    promoted = std::make_unique<Payload>(promote(source.payload, taps));
    outputs.resize(promoted->externals.size());
    places.resize(promoted->externals.size());
    ET_ASSIGN(runtime,
              GraphRuntime::make(*promoted, source.constants, source.shapes, source.shared, source.threads,
                                 {.widenHalf = widenHalf, .profiled = true}, source.memoryBytes));
    reuse.emplace(*promoted);
    reuse->begin(source.shapes);
    return {};
}

Result<> Taps::reshape(const Shapes& wanted) {
    if (wanted == shapes) {
        return {};
    }
    shapes.clear();
    ET_TRY(runtime->reshape(wanted));
    if (!profile) {
        ET_ASSIGN(profile, Profile::make(*promoted, *runtime));
    }
    shapes = wanted;
    return {};
}

/// Memory for the values that the graph computes.
void Taps::reserveOutputs() {
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        if (promoted->value(promoted->externals[i]).isOutput) {
            outputs[i].resize(bytesOf(i) + XNN_EXTRA_BYTES);
            places[i] = outputs[i].data();
        }
    }
}

void Taps::run(const Shapes& wanted, std::span<void* const> addresses) {
    if (!runtime) {
        return;
    }
    auto done = reshape(wanted);
    if (done) {
        reserveOutputs();
        for (std::size_t i = 0; i < ownExternals; ++i) {
            places[i] = promoted->value(promoted->externals[i]).isInput ? addresses[i] : places[i];
        }
        done = runtime->run(places);
    }
    failure = done ? std::nullopt : std::optional(std::move(done).error());
}

void Taps::deliver(core::EventTracer& to, const core::TraceIds& ids, std::span<void* const> addresses,
                   std::span<const ProfiledOperator> operators) {
    if (taps.empty()) {
        return;
    }
    core::TapReport report{.chain = ids.chain, .instruction = ids.instruction};
    if (failure) {
        report.failure = failure->toString();
        to.tapped(report);
        return;
    }
    for (const Tap& tap : taps) {
        deliverOne(to, ids, tap, operatorOf(*promoted, operators, tap));
        if (tap.external >= ownExternals && outputs[tap.external].size() >= minFreedBytes) {
            outputs[tap.external] = {};  // the tracer has copied it
        }
    }
    report.values = taps.size();
    report.operators = operators.size();
    report.operatorsWithTaps = profile->operators().size();
    report.changedOperators = changedOperators(operators, profile->operators());
    report.changedOutputs = compare(addresses);
    to.tapped(report);
}

void Taps::deliverOne(core::EventTracer& to, core::TraceIds ids, const Tap& tap, const ProfiledOperator* op) {
    const auto* type = std::ranges::find(tappedTypes, typeOf(tap.value), &TappedType::ours);
    const ValueSizes& from = shapes[tap.value];
    const core::Sizes sizes = [&] {
        core::Sizes made(from.size(), 0);
        std::ranges::transform(from, made.begin(),
                               [](std::size_t size) { return static_cast<std::int64_t>(size); });
        return made;
    }();
    auto tensor =
        core::Tensor::make(type->tensor, std::span<const std::int64_t>(sizes), outputs[tap.external].data());
    if (!tensor) {
        return;
    }
    core::Value value(*std::move(tensor));
    to.tapSite(siteOf(*promoted, tap));
    if (op != nullptr) {
        ids.delegateString = op->name;
        to.tap(ids, value);
        return;
    }
    ids.delegateInt = intId(promoted->value(tap.value));
    to.tap(ids, value);
    // No operator's profile event has the debug handle, so an event without duration records it.
    const std::uint64_t now = core::EventTracer::now();
    const auto handle = handleOf(promoted->nodes[tap.node]);
    const std::string metadata = handle ? fmt::format(R"({{"debug_handles":[{}],"tap":true}})", *handle)
                                        : R"({"debug_handles":[],"tap":true})";
    to.profile(to.name(""), ids, now, now, std::as_bytes(std::span(metadata)));
}

std::vector<core::TapOutputChange> Taps::compare(std::span<void* const> addresses) const {
    std::vector<core::TapOutputChange> changes;
    for (std::size_t i = 0; i < ownExternals; ++i) {
        const PayloadValue& value = promoted->value(promoted->externals[i]);
        if (!value.isOutput || std::memcmp(addresses[i], places[i], bytesOf(i)) == 0) {
            continue;
        }
        const std::size_t width = datatypeInfo(typeOf(promoted->externals[i]))->bits / 8U;
        core::TapOutputChange change{
            .argument = value.externalId.value_or(0), .elements = 0, .of = bytesOf(i) / width};
        for (std::size_t at = 0; at < bytesOf(i); at += width) {
            const auto* own = static_cast<const std::byte*>(addresses[i]) + at;
            change.elements +=
                std::memcmp(own, static_cast<const std::byte*>(places[i]) + at, width) != 0 ? 1U : 0U;
        }
        changes.push_back(change);
    }
    return changes;
}

std::size_t Taps::bytesOf(std::size_t external) const {
    const ValueIndex value = promoted->externals[external];
    return storedBytes(*promoted, value, shapes[value], widenHalf);
}

Datatype Taps::typeOf(ValueIndex value) const {
    return storedAs(promoted->value(value).datatype, widenHalf);
}

}  // namespace et::backends::xnnpack
