#include "app/output/cells.h"
#include "app/output/info/artifact_info.h"
#include "app/output/info/training_info.h"
#include "backends/compile_specs.h"
#include "inspector/memory/memory_timeline.h"
#include "inspector/session/first_values.h"
#include "runtime/core/scalar_type.h"
#include "runtime/program/schema_version.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

namespace et::output {
namespace {

using program::Delegate;
using program::DelegateCall;
using program::InitialData;
using program::KernelCall;
using program::Method;
using program::ShapeDynamism;
using program::TensorInfo;
using program::Value;
using program::ValueId;

constexpr std::string_view dynamismName(ShapeDynamism dynamism) {
    switch (dynamism) {
        case ShapeDynamism::Static:
            return "static";
        case ShapeDynamism::Bounded:
            return "bounded";
        case ShapeDynamism::Unbounded:
            return "unbounded";
    }
    return "unknown";
}

Dict tensorInfo(const TensorInfo& tensor) {
    return {
        {"dtype", core::scalarTypeName(tensor.scalarType)},
        {"sizes", tensor.sizes},
        {"dim_order", std::vector<std::int64_t>(tensor.dimOrder.begin(), tensor.dimOrder.end())},
        {"shape", std::string(dynamismName(tensor.dynamism))},
        {"bytes", optionalCell(tensor.byteSize)},
    };
}

/// Formats a value that is a constant of its method.
struct PlainValue {
    template <class T>
    Dict operator()(const T& value) const {
        if constexpr (std::is_same_v<T, std::string_view>) {
            return {{"value", std::string(value)}};
        } else if constexpr (std::is_arithmetic_v<T>) {
            return {{"value", value}};
        } else {
            return {};
        }
    }
};

/// Tensors of a method by their content before it runs.
struct TensorTally {
    std::uint64_t constants = 0;
    std::uint64_t constantBytes = 0;  ///< shared memory is counted once
    List external;
};

TensorTally holdings(const Method& method) {
    TensorTally found;
    std::set<const std::byte*> seen;
    for (const Value& value : method.values) {
        const auto* tensor = value.as<TensorInfo>();
        if (tensor == nullptr) {
            continue;
        }
        if (tensor->initialData == InitialData::External) {
            Dict info{{"name", std::string(tensor->name)}};
            append(info, tensorInfo(*tensor));
            found.external.emplace_back(std::move(info));
        } else if (tensor->initialData == InitialData::Program && !tensor->allocation) {
            ++found.constants;
            found.constantBytes += seen.insert(tensor->data.data()).second ? tensor->data.size() : 0;
        }
    }
    return found;
}

/// State that a method keeps between executions: buffers with an initial value, and buffers that are read
/// before they are written, such as caches; how many have no first values. Empty if the memory plan is too
/// damaged to read.
Dict stateInfo(const Method& method) {
    const auto timeline = inspector::MemoryTimeline::build(method);
    if (!timeline) {
        return {};
    }
    const auto hasValue = [&method](ValueId id) {
        return method.value(id).as<TensorInfo>()->initialData == InitialData::Program;
    };
    std::uint64_t tensors = 0;
    std::uint64_t bytes = 0;
    for (const inspector::PlannedTensor& each : timeline->tensors) {
        const bool isState = each.kind == inspector::TensorKind::State || hasValue(each.value) ||
                             std::ranges::any_of(each.aliases, hasValue);
        tensors += isState ? 1 : 0;
        bytes += isState ? each.bytes : 0;
    }
    Dict info{{"mutable_tensors", tensors}, {"mutable_bytes", bytes}};
    if (const auto starting = inspector::stateStartingAtZero(method); !starting.empty()) {
        info.emplace_back("mutable_tensors_starting_at_zero", std::uint64_t{starting.size()});
    }
    return info;
}

/// Calls made by the instructions of a method.
struct Calls {
    Tally kinds;
    Tally operators;
    std::vector<std::uint64_t> delegates;  ///< calls by DelegateId
};

Calls calls(const Method& method) {
    Calls counted;
    counted.delegates.assign(method.delegates.size(), 0);
    for (const program::Operator& op : method.operators) {
        counted.operators.add(op.fullName(), 0);
    }
    for (const program::Chain& chain : method.chains) {
        for (const program::Instruction& instruction : chain.instructions) {
            counted.kinds.add(program::instructionName(instruction));
            if (const auto* kernel = std::get_if<KernelCall>(&instruction)) {
                counted.operators.add(method.op(kernel->op).fullName());
            } else if (const auto* delegate = std::get_if<DelegateCall>(&instruction)) {
                ++counted.delegates[delegate->delegate.value];
            }
        }
    }
    return counted;
}

List delegateInfo(const Method& method, const Calls& counted) {
    List list;
    for (std::size_t i = 0; i < method.delegates.size(); ++i) {
        const Delegate& delegate = method.delegates[i];
        list.emplace_back(Dict{
            {"backend", std::string(delegate.backend)},
            {"calls", counted.delegates[i]},
            {"bytes", std::uint64_t{delegate.payload.size()}},
            {"compile_specs", listOf(delegate.compileSpecs,
                                     [&](const program::CompileSpec& spec) {
                                         return fmt::format("{}={}", spec.key,
                                                            backends::specLine(delegate.backend, spec));
                                     })},
        });
    }
    return list;
}

Dict methodInfo(const Method& method) {
    const Calls counted = calls(method);
    TensorTally held = holdings(method);
    std::vector<std::uint64_t> arenas;
    for (const program::Arena& arena : method.arenas) {
        arenas.push_back(arena.bytes);
    }
    Dict info{
        {"name", std::string(method.name)},
        {"values", std::uint64_t{method.values.size()}},
        {"instructions", counted.kinds.dict()},
        {"planned_bytes", method.plannedBytes()},
        {"arenas", arenas},
        {"constants", held.constants},
        {"constant_bytes", held.constantBytes},
    };
    append(info, stateInfo(method));
    append(info, {{"inputs", output::valueInfo(method, method.inputs)},
                  {"outputs", output::valueInfo(method, method.outputs)},
                  {"operators", counted.operators.list("name", "calls")},
                  {"delegates", delegateInfo(method, counted)},
                  {"external_tensors", std::move(held.external)}});
    return info;
}

List segmentInfo(const std::vector<program::Segment>& segments) {
    return listOf(segments, [&](const program::Segment& segment) {
        return Dict{
            {"use", std::string(program::segmentUseName(segment.use))},
            {"offset", segment.offset},
            {"bytes", std::uint64_t{segment.data.size()}},
        };
    });
}

}  // namespace

List valueInfo(const Method& method, const std::vector<ValueId>& ids) {
    return listOf(ids, [&](const ValueId id) {
        const Value& value = method.value(id);
        Dict info{{"type", std::string(program::valueTypeName(value))}};
        append(info, value.visit(PlainValue{}));
        if (const auto* tensor = value.as<TensorInfo>()) {
            append(info, tensorInfo(*tensor));
        }
        return info;
    });
}

Dict programInfo(const program::Program& program) {
    Dict info{{"version", std::uint64_t{program.version}}};
    if (const std::string remark = program::schemaVersionRemark(program.version); !remark.empty()) {
        info.emplace_back("remark", remark);
    }
    append(info,
           Dict{
               {"methods", listOf(program.methods, [](const Method& method) { return methodInfo(method); })},
               {"segments", segmentInfo(program.segments)},
               {"named_data", listOf(program.namedData,
                                     [](const program::NamedData& blob) {
                                         return Dict{{"name", std::string(blob.key)},
                                                     {"bytes", std::uint64_t{blob.data.size()}}};
                                     })},
           });
    if (List training = trainingInfo(program); !training.empty()) {
        info.emplace_back("training", std::move(training));
    }
    return info;
}

Dict tensorDataInfo(const program::TensorData& data) {
    List entries;
    for (const program::TensorDataEntry& entry : data.entries) {
        const bool tensor = entry.layout.has_value();
        entries.emplace_back(Dict{
            {"name", std::string(entry.name)},
            {"dtype", tensor ? Cell(core::scalarTypeName(entry.layout->scalarType)) : Cell()},
            {"sizes", tensor ? Cell(entry.layout->sizes) : Cell()},
            {"bytes", std::uint64_t{entry.data.size()}},
        });
    }
    return {
        {"version", std::uint64_t{data.version}},
        {"tensors", std::move(entries)},
        {"segments", segmentInfo(data.segments)},
    };
}

}  // namespace et::output
