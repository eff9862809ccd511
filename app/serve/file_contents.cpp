// Whole files as Python values, for et_inspect.devtools.etdump and et_inspect.devtools.pte_tool.
#include "app/serve/functions.h"
#include "app/serve/sources.h"
#include "app/tasks/base/program_file.h"
#include "etdump/trace.h"
#include "etdump/writer.h"
#include "runtime/core/scalar_type.h"
#include "runtime/program/program.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace et::serve {
namespace {

using program::Program;
using program::TensorInfo;
using program::ValueId;

List idList(const std::vector<ValueId>& ids) {
    return collected(ids, [](const ValueId id) { return id.value; });
}

Dict tensorContents(const TensorInfo& tensor, const std::shared_ptr<const Program>& owner) {
    Dict out;
    out["type"] = text("Tensor");
    out["dtype"] = static_cast<int>(tensor.scalarType);
    out["dtype_name"] = text(core::scalarTypeName(tensor.scalarType));
    out["sizes"] = collected(tensor.sizes, [](const std::int64_t size) { return size; });
    out["dim_order"] = collected(tensor.dimOrder, [](const auto dim) { return static_cast<int>(dim); });
    out["dynamism"] = static_cast<int>(tensor.dynamism);
    out["requires_grad"] = tensor.requiresGrad;
    out["layout"] = static_cast<int>(tensor.layout);
    out["data_index"] = tensor.dataIndex;
    out["allocation"] =
        tensor.allocation ? tupleOf(tensor.allocation->arena.value, tensor.allocation->offset) : Value();
    out["name"] = text(tensor.name);
    out["external"] = tensor.initialData == program::InitialData::External;
    out["data"] = tensor.initialData == program::InitialData::Program
                      ? Value(Blob{.bytes = tensor.data, .owner = owner})
                      : Value();
    return out;
}

/// The content of a value that is not a tensor; None for Null.
Value plainContents(const program::Value& value) {
    return value.visit([](const auto& held) -> Value {
        using Held = std::decay_t<decltype(held)>;
        if constexpr (std::is_same_v<Held, std::monostate> || std::is_same_v<Held, TensorInfo>) {
            return Value();
        } else if constexpr (std::is_same_v<Held, program::IntList> ||
                             std::is_same_v<Held, program::TensorList>) {
            return idList(held.items);
        } else if constexpr (std::is_same_v<Held, program::OptionalTensorList>) {
            return collected(held.items, [](const auto& id) { return id ? Value(id->value) : Value(-1); });
        } else if constexpr (std::is_same_v<Held, program::BoolList>) {
            return collected(held.items, [](const bool item) { return item; });
        } else if constexpr (std::is_same_v<Held, program::DoubleList>) {
            return collected(held.items, [](const double item) { return item; });
        } else {
            return valueOf(held);
        }
    });
}

Dict valueContents(const program::Value& value, const std::shared_ptr<const Program>& owner) {
    if (const auto* const tensor = value.as<TensorInfo>()) {
        return tensorContents(*tensor, owner);
    }
    Dict out;
    out["type"] = text(program::valueTypeName(value));
    out["value"] = plainContents(value);
    return out;
}

/// ("KernelCall", operator, arguments), ("DelegateCall", delegate, arguments), ("MoveCall", from, to),
/// ("JumpFalseCall", condition, destination), ("FreeCall", value).
struct InstructionContents {
    Value operator()(const program::KernelCall& call) const {
        return tupleOf("KernelCall", call.op.value, Value(idList(call.args)));
    }
    Value operator()(const program::DelegateCall& call) const {
        return tupleOf("DelegateCall", call.delegate.value, Value(idList(call.args)));
    }
    Value operator()(const program::MoveCall& call) const {
        return tupleOf("MoveCall", call.from.value, call.to.value);
    }
    Value operator()(const program::JumpFalseCall& call) const {
        return tupleOf("JumpFalseCall", call.condition.value, call.destination.value);
    }
    Value operator()(const program::FreeCall& call) const { return tupleOf("FreeCall", call.value.value); }
};

Dict methodContents(const program::Method& method, const std::shared_ptr<const Program>& owner) {
    Dict out;
    out["name"] = text(method.name);
    out["inputs"] = idList(method.inputs);
    out["outputs"] = idList(method.outputs);
    out["values"] =
        collected(method.values, [&](const program::Value& value) { return valueContents(value, owner); });
    out["operators"] =
        collected(method.operators, [](const program::Operator& op) { return text(op.fullName()); });
    out["delegates"] =
        collected(method.delegates, [](const program::Delegate& each) { return text(each.backend); });
    out["chains"] = collected(method.chains, [](const program::Chain& chain) {
        return collected(chain.instructions, [](const program::Instruction& each) {
            return std::visit(InstructionContents{}, each);
        });
    });
    out["buffers"] = collected(method.arenas, [](const program::Arena& arena) { return arena.bytes; });
    return out;
}

/// A program, alone or in a bundled program, as dictionaries and lists.
Dict programContents(Value source) {
    const std::shared_ptr<const Program> program =
        unwrap(tasks::ProgramFile::parse(contents(source))).program;
    Dict out;
    out["version"] = program->version;
    out["methods"] = collected(
        program->methods, [&](const program::Method& method) { return methodContents(method, program); });
    out["named_data"] = collected(program->namedData, [&](const program::NamedData& each) {
        return tupleOf(text(each.key), Value(Blob{.bytes = each.data, .owner = program}));
    });
    return out;
}

Value debugTensor(const etdump::DebugTensor& tensor) {
    return tupleOf(static_cast<int>(tensor.scalarType), valueOf(tensor.sizes), valueOf(tensor.strides),
                   tensor.offset);
}

/// (type, content): the types are those of ExecuTorch's schema.
Value debugContents(const etdump::DebugValue& logged) {
    return std::visit(
        [](const auto& held) -> Value {
            using Held = std::decay_t<decltype(held)>;
            if constexpr (std::is_same_v<Held, std::monostate>) {
                return tupleOf("Null", Value());
            } else if constexpr (std::is_same_v<Held, std::int64_t>) {
                return tupleOf("Int", held);
            } else if constexpr (std::is_same_v<Held, bool>) {
                return tupleOf("Bool", held);
            } else if constexpr (std::is_same_v<Held, float>) {
                return tupleOf("Float", held);
            } else if constexpr (std::is_same_v<Held, double>) {
                return tupleOf("Double", held);
            } else if constexpr (std::is_same_v<Held, std::string_view>) {
                return tupleOf("String", text(held));
            } else if constexpr (std::is_same_v<Held, etdump::DebugTensor>) {
                return tupleOf("Tensor", debugTensor(held));
            } else {
                return tupleOf("TensorList", Value(collected(held, debugTensor)));
            }
        },
        logged.value);
}

/// ("profile", name, chain, instruction, delegate integer, delegate text, start, end, metadata),
/// ("debug", name, chain, instruction, delegate integer, delegate text, value, is output),
/// ("allocation", allocator, bytes).
Value eventContents(const std::shared_ptr<const etdump::Trace>& trace, etdump::EventIndex at) {
    const etdump::EventColumns& all = trace->events();
    if (all.kind[at] == etdump::EventKind::Allocation) {
        return tupleOf("allocation", all.start[at], all.end[at]);
    }
    const Value name = text(trace->text(all.name[at]));
    const Value delegate = text(trace->text(all.delegateString[at]));
    if (all.kind[at] == etdump::EventKind::Profile) {
        return tupleOf("profile", name, all.chain[at], all.instruction[at], all.delegateInt[at], delegate,
                       all.start[at], all.end[at], Value(Blob{.bytes = trace->metadata(at), .owner = trace}));
    }
    const etdump::DebugValue& logged = trace->debugValue(at);
    return tupleOf("debug", name, all.chain[at], all.instruction[at], all.delegateInt[at], delegate,
                   debugContents(logged), logged.programOutput);
}

Dict traceContents(Value source) {
    const auto trace = unwrap(etdump::Trace::parse(contents(source)));
    Dict out;
    out["version"] = trace->version();
    out["runs"] = collected(trace->runs(), [&](const etdump::Run& run) {
        List events;
        for (etdump::EventIndex i = 0; i < run.eventCount; ++i) {
            events.push_back(eventContents(trace, run.firstEvent + i));
        }
        Dict each;
        each["name"] = text(trace->text(run.name));
        each["bundled_input_index"] = run.bundledInputIndex;
        each["allocators"] =
            collected(run.allocators, [&](const etdump::NameId name) { return text(trace->text(name)); });
        each["events"] = run.hasEvents ? Value(std::move(events)) : Value();
        return each;
    });
    return out;
}

using TensorTuple =
    std::tuple<std::int8_t, std::vector<std::int64_t>, std::vector<std::int64_t>, std::int64_t>;

etdump::DebugTensor debugTensorOf(TensorTuple given) {
    auto& [type, sizes, strides, offset] = given;
    return {.scalarType = type, .sizes = std::move(sizes), .strides = std::move(strides), .offset = offset};
}

/// Inverse of debugContents(); `held` keeps the text.
etdump::DebugValue debugValueOf(Value& given, bool output, std::string& held) {
    auto [type, content] = Argument<std::tuple<std::string, Value>>::from(given);
    etdump::DebugValue out{.value = std::monostate{}, .programOutput = output};
    if (type == "Int") {
        out.value = Argument<std::int64_t>::from(content);
    } else if (type == "Bool") {
        out.value = Argument<bool>::from(content);
    } else if (type == "Float") {
        out.value = static_cast<float>(Argument<double>::from(content));
    } else if (type == "Double") {
        out.value = Argument<double>::from(content);
    } else if (type == "String") {
        held = Argument<std::string>::from(content);
        out.value = std::string_view(held);
    } else if (type == "Tensor") {
        out.value = debugTensorOf(Argument<TensorTuple>::from(content));
    } else if (type == "TensorList") {
        std::vector<etdump::DebugTensor> tensors;
        for (TensorTuple& each : Argument<std::vector<TensorTuple>>::from(content)) {
            tensors.push_back(debugTensorOf(std::move(each)));
        }
        out.value = std::move(tensors);
    } else if (type != "Null") {
        raise("ValueError", "unknown type of a debug value: " + type);
    }
    return out;
}

core::Bytes blobOf(const Value& value) {
    if (value.isNone()) {
        return {};
    }
    const auto* const blob = value.as<Blob>();
    if (blob == nullptr) {
        refuseType("bytes", value);
    }
    return blob->bytes;
}

void writeEvent(etdump::TraceWriter& writer, List fields) {
    const std::string kind = fields.empty() ? "" : Argument<std::string>::from(fields.front());
    constexpr std::size_t allocationFields = 3;
    constexpr std::size_t debugFields = 8;
    constexpr std::size_t profileFields = 9;
    if (kind == "allocation" && fields.size() == allocationFields) {
        return writer.allocation(Argument<std::uint32_t>::from(fields[1]),
                                 Argument<std::uint64_t>::from(fields[2]));
    }
    if (!(kind == "profile" && fields.size() == profileFields) &&
        !(kind == "debug" && fields.size() == debugFields)) {
        raise("ValueError", "unknown kind of event: " + kind);
    }
    const auto name = Argument<std::string>::from(fields[1]);
    const auto delegate = Argument<std::string>::from(fields[5]);
    const etdump::EventIds ids{.instruction = Argument<std::int32_t>::from(fields[3]),
                               .chain = Argument<std::int32_t>::from(fields[2]),
                               .delegateInt = Argument<std::int32_t>::from(fields[4]),
                               .delegateString = delegate};
    if (kind == "profile") {
        return writer.profile(name, ids, Argument<std::uint64_t>::from(fields[6]),
                              Argument<std::uint64_t>::from(fields[7]), blobOf(fields[8]));
    }
    std::string held;
    writer.debug(name, ids, debugValueOf(fields[6], Argument<bool>::from(fields[7]), held));
}

/// Makes a trace from the runs of traceContents(), as (name, bundled input, allocators, events).
std::vector<std::byte> writeTrace(
    std::vector<std::tuple<std::string, std::int32_t, std::vector<std::string>, std::vector<List>>> runs) {
    etdump::TraceWriter writer;
    for (auto& [name, input, allocators, events] : runs) {
        writer.beginRun(name, input);
        for (const std::string& allocator : allocators) {
            writer.addAllocator(allocator);
        }
        for (List& event : events) {
            writeEvent(writer, std::move(event));
        }
    }
    return unwrap(writer.finish());
}

constexpr std::array contentTable{
    function<&programContents>("program_contents"),
    function<&traceContents>("trace_contents"),
    function<&writeTrace>("write_trace"),
};

}  // namespace

std::span<const Function> contentFunctions() {
    return contentTable;
}

}  // namespace et::serve
