#include "backends/compile_specs.h"
#include "backends/payload_info.h"
#include "inspector/delegates/delegates.h"
#include "inspector/join/instruction_nodes.h"
#include "inspector/join/node_fields.h"
#include "inspector/memory/memory_timeline.h"
#include "inspector/session/record_check.h"
#include "inspector/store/session/session_rows.h"
#include "runtime/core/scalar_type.h"
#include "runtime/executor/instruction_name.h"
#include "runtime/program/instruction_access.h"
#include "runtime/program/tensor_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

namespace et::inspector::store {
namespace {

using core::Result;
using program::Method;
using program::TensorInfo;
using program::ValueId;

struct DynamismName {
    program::ShapeDynamism dynamism;
    std::string_view name;
};
constexpr std::array dynamisms{DynamismName{program::ShapeDynamism::Static, "static"},
                               DynamismName{program::ShapeDynamism::Bounded, "bounded"},
                               DynamismName{program::ShapeDynamism::Unbounded, "unbounded"}};

std::string deviceText(program::Device device) {
    return device == program::Device{} ? "cpu" : fmt::format("device {}:{}", device.type, device.index);
}

/// The first line; nothing if there is none.
std::optional<std::string> firstText(const format::List& cells) {
    return cells.empty() ? std::nullopt : std::optional(std::get<std::string>(cells.front()));
}

std::optional<std::string> textOf(const format::Cell& cell) {
    const auto* const text = std::get_if<std::string>(&cell);
    return text == nullptr ? std::nullopt : std::optional(*text);
}

/// Adds the rows of one method.
class MethodRows {
  public:
    MethodRows(RowWriter& to, const program::Program& in, const Method& of, const etrecord::Record* record)
        : rows(to), program(in), method(of), nodes(record, of.name) {}

    Result<> add() {
        ET_ASSIGN(const MemoryTimeline memory, MemoryTimeline::build(program, method));
        ET_TRY(addHead(memory));
        ET_TRY(addInstructions());
        ET_TRY(addTensors(memory));
        return addArenas(memory);
    }

  private:
    Result<> addHead(const MemoryTimeline& memory) {
        std::array<std::size_t, std::variant_size_v<program::Instruction>> kinds{};
        std::size_t instructions = 0;
        for (const program::Chain& chain : method.chains) {
            instructions += chain.instructions.size();
            for (const program::Instruction& instruction : chain.instructions) {
                ++kinds[instruction.index()];
            }
        }
        constexpr std::size_t kernel = 0;  // index in the variant
        constexpr std::size_t delegate = 1;
        return rows.add("methods", method.name, method.inputs.size(), method.outputs.size(), instructions,
                        kinds[kernel], kinds[delegate], method.plannedBytes(), memory.peakBytes(),
                        memory.constantBytes(), memory.payloadBytes());
    }

    Result<> addInstructions() {
        program::AccessReader accesses(method);
        std::int64_t step = 0;
        for (std::size_t chain = 0; chain < method.chains.size(); ++chain) {
            const auto& instructions = method.chains[chain].instructions;
            for (std::size_t i = 0; i < instructions.size(); ++i, ++step) {
                ET_TRY(addInstruction(chain, i, step, instructions[i]));
                ET_ASSIGN(const program::InstructionAccess access, accesses.next(instructions[i]));
                ET_TRY(addArguments(chain, i, instructions[i], access));
            }
        }
        return {};
    }

    Result<> addInstruction(std::size_t chain, std::size_t at, std::int64_t step,
                            const program::Instruction& instruction) {
        const auto* const call = std::get_if<program::DelegateCall>(&instruction);
        const auto delegate = call == nullptr ? std::nullopt : std::optional(call->delegate.value);
        std::vector<const etrecord::Node*> found;
        if (chain == 0) {
            found = nodes.nodesOf(core::InstructionId(static_cast<std::int32_t>(at)));
        }
        const std::optional<std::string> module = textOf(inspector::commonModule(found));
        const std::optional<std::string> source = firstText(inspector::sourceLines(found));
        return rows.add("instructions", method.name, chain, at, step, program::instructionName(instruction),
                        executor::instructionLabel(method, instruction), delegate, module, source);
    }

    Result<> addArguments(std::size_t chain, std::size_t at, const program::Instruction& instruction,
                          const program::InstructionAccess& access) {
        const std::vector<ValueId>* arguments = nullptr;
        if (const auto* const kernel = std::get_if<program::KernelCall>(&instruction)) {
            arguments = &kernel->args;
        } else if (const auto* const call = std::get_if<program::DelegateCall>(&instruction)) {
            arguments = &call->args;
        } else {
            return {};
        }
        for (std::size_t i = 0; i < arguments->size(); ++i) {
            const ValueId id = (*arguments)[i];
            const program::Value& value = method.value(id);
            const bool isTensor = value.is<TensorInfo>();
            const std::string text = isTensor ? std::string() : executor::valueText(method, id);
            ET_TRY(rows.add("arguments", method.name, chain, at, i, id.value, program::valueTypeName(value),
                            accessName(access, id), orNull(text)));
        }
        return {};
    }

    static std::optional<std::string_view> accessName(const program::InstructionAccess& access, ValueId id) {
        const bool reads = std::ranges::contains(access.reads, id);
        const bool writes = std::ranges::contains(access.writes, id);
        return orNull(reads && writes ? "update" : writes ? "write" : reads ? "read" : "");
    }

    Result<> addTensors(const MemoryTimeline& memory) {
        std::vector<const PlannedTensor*> planned(method.values.size());
        for (const PlannedTensor& tensor : memory.tensors) {
            planned[tensor.value.value] = &tensor;
            for (const ValueId alias : tensor.aliases) {
                planned[alias.value] = &tensor;
            }
        }
        for (std::size_t i = 0; i < method.values.size(); ++i) {
            if (const auto* const tensor = method.values[i].as<TensorInfo>()) {
                ET_TRY(addTensor(ValueId(static_cast<std::uint32_t>(i)), *tensor, planned[i]));
            }
        }
        return {};
    }

    std::string_view roleOf(ValueId id, const TensorInfo& tensor, const PlannedTensor* planned) const {
        if (planned != nullptr) {
            return tensorKindName(planned->kind);
        }
        if (tensor.initialData != program::InitialData::None && !tensor.allocation) {
            return "constant";
        }
        return tensorKindName(std::ranges::contains(method.inputs, id)    ? TensorKind::Input
                              : std::ranges::contains(method.outputs, id) ? TensorKind::Output
                                                                          : TensorKind::Unused);
    }

    Result<> addTensor(ValueId id, const TensorInfo& tensor, const PlannedTensor* planned) {
        const bool alive = planned != nullptr && planned->firstStep <= planned->lastStep;
        const auto arena = tensor.allocation.transform([](auto place) { return place.arena.value; });
        const auto offset = tensor.allocation.transform([](auto place) { return place.offset; });
        const auto first = alive ? std::optional(planned->firstStep) : std::nullopt;
        const auto last = alive ? std::optional(planned->lastStep) : std::nullopt;
        std::optional<std::int32_t> producer;
        if (planned != nullptr && planned->producer) {
            producer = planned->producer->instruction.value;
        }
        return rows.add("tensors", method.name, id.value, orNull(tensor.name), roleOf(id, tensor, planned),
                        core::scalarTypeName(tensor.scalarType), jsonList(tensor.sizes),
                        jsonList(tensor.dimOrder),
                        std::ranges::find(dynamisms, tensor.dynamism, &DynamismName::dynamism)->name,
                        tensor.byteSize, arena, offset, first, last, producer);
    }

    Result<> addArenas(const MemoryTimeline& memory) {
        for (const ArenaTimeline& arena : memory.arenas) {
            ET_TRY(rows.add("arenas", method.name, arena.arena.value, deviceText(arena.device),
                            arena.plannedBytes, arena.peakBytes, arena.peakStep));
            for (std::size_t i = 0; i < arena.liveBytes.size(); ++i) {
                ET_TRY(rows.add("live_bytes", method.name, arena.arena.value,
                                static_cast<std::int64_t>(i) - 1, arena.liveBytes[i]));
            }
        }
        return {};
    }

    RowWriter& rows;
    const program::Program& program;
    const Method& method;
    InstructionNodes nodes;
};

Result<> addDelegate(RowWriter& rows, const Method& method, std::size_t at, const DelegateReport& delegate) {
    const auto inside =
        delegate.graph == nullptr ? std::nullopt : std::optional(delegate.graph->nodes().size());
    ET_TRY(rows.add("delegates", method.name, at, delegate.delegate->backend,
                    delegate.delegate->payload.size(), delegate.format.text, delegate.calls.size(), inside,
                    orNull(delegate.unknown), delegate.contents.bytes.known, delegate.contents.bytes.opaque,
                    delegate.contents.bytes.padding));
    for (const backends::ListedPart& part : delegate.contents.parts) {
        ET_TRY(rows.add("payload_parts", method.name, at, part.part.name, part.offset, part.part.data.size(),
                        part.bytes.opaque));
    }
    for (const program::CompileSpec& spec : delegate.delegate->compileSpecs) {
        const auto decoded = backends::decodeSpec(delegate.delegate->backend, spec);
        ET_TRY(rows.add("compile_specs", method.name, at, spec.key, spec.value.size(),
                        backends::asText(spec.value), decoded ? std::optional(decoded->text) : std::nullopt));
        for (std::size_t i = 0; decoded && i < decoded->settings.size(); ++i) {
            const backends::SpecSetting& setting = decoded->settings[i];
            ET_TRY(rows.add("compile_spec_settings", method.name, at, spec.key, setting.name, setting.value,
                            setting.isDefault ? 1 : 0));
        }
    }
    return {};
}

Result<> addDelegates(RowWriter& rows, const Session& session,
                      std::span<const executor::Backend* const> backends) {
    ET_ASSIGN(
        const DelegationReport report,
        delegatesOf({.program = *session.program, .backends = backends, .record = session.record.get()}));
    for (const MethodDelegates& method : report.methods) {
        for (std::size_t i = 0; i < method.delegates.size(); ++i) {
            ET_TRY(addDelegate(rows, *method.method, i, method.delegates[i]));
        }
    }
    for (const std::string& warning : report.warnings) {
        ET_TRY(rows.add("warnings", "record", warning));
    }
    return {};
}

/// Adds the tensors of a data file whose program is not open.
Result<> addDataRows(RowWriter& rows, const Session& session) {
    ET_ASSIGN(const auto data, program::TensorData::open(session.files.tensorData));
    for (const program::TensorDataEntry& entry : data->entries) {
        if (entry.layout) {
            const std::optional<std::int64_t> none;
            ET_TRY(rows.add("tensors", std::optional<std::string_view>(), none, entry.name, "data",
                            core::scalarTypeName(entry.layout->scalarType), jsonList(entry.layout->sizes),
                            jsonList(entry.layout->dimOrder), dynamisms.front().name, entry.layout->byteSize,
                            none, none, none, none, none));
        }
    }
    return {};
}

}  // namespace

Result<> addProgramRows(RowWriter& rows, const Session& session,
                        std::span<const executor::Backend* const> backends) {
    if (session.program == nullptr) {
        return session.files.tensorData.empty() ? Result<>() : addDataRows(rows, session);
    }
    for (const Method& method : session.program->methods) {
        ET_TRY(MethodRows(rows, *session.program, method, session.recordOfProgram()).add());
    }
    return addDelegates(rows, session, backends);
}

}  // namespace et::inspector::store
