#include "inspector/session/first_values.h"

#include "backends/reference/archived_tensors.h"
#include "etrecord/buffer_mutation.h"
#include "runtime/core/scalar_type.h"
#include "runtime/program/instruction_access.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <variant>

namespace et::inspector {
namespace {

using core::Result;
using etrecord::ExportedGraph;
using etrecord::InputSpec;
using program::AccessReader;
using program::TensorInfo;
using program::ValueId;

/// Whether the instruction computes new contents of its first argument from the old ones. aten::copy_ and
/// appending operators overwrite it.
bool changesContents(const program::Method& method, const program::Instruction& instruction) {
    const auto* const call = std::get_if<program::KernelCall>(&instruction);
    if (call == nullptr) {
        return false;
    }
    const std::string_view name = method.op(call->op).name;
    return program::updatesFirst(name) && name != "aten::copy_" && name != program::appendingOperator;
}

/// Follows the instructions; values that share memory count as one.
class StateFinder {
  public:
    explicit StateFinder(const program::Method& of) : method(of), written(of.values.size()) {
        for (std::size_t i = 0; i < method.values.size(); ++i) {
            owners.emplace_back(static_cast<std::uint32_t>(i));
            const auto* const tensor = method.values[i].as<TensorInfo>();
            written[i] =
                tensor == nullptr || !tensor->allocation || tensor->initialData != program::InitialData::None;
        }
        for (const ValueId input : method.inputs) {
            noteWritten(input);
        }
    }

    std::vector<ValueId> find() {
        AccessReader reader(method);
        for (const program::Chain& chain : method.chains) {
            for (const program::Instruction& instruction : chain.instructions) {
                const auto access = reader.next(instruction);
                if (!access) {
                    return {};
                }
                follow(*access, changesContents(method, instruction));
            }
        }
        return {state.begin(), state.end()};
    }

  private:
    void follow(const program::InstructionAccess& access, bool isChanging) {
        if (access.alias) {
            owners[access.alias->second.value] = ownerOf(access.alias->first);
        }
        for (const ValueId id : access.reads) {
            // Arguments of a call include those for its results.
            const bool isOnlyWritten = !isChanging && std::ranges::contains(access.writes, id);
            if (const ValueId owner = ownerOf(id); !isWritten(owner) && !isOnlyWritten) {
                state.insert(owner);
            }
        }
        for (const ValueId id : access.writes) {
            noteWritten(ownerOf(id));
        }
    }

    [[nodiscard]] const program::Allocation* placeOf(ValueId id) const {
        const auto* const tensor = method.value(id).as<TensorInfo>();
        return tensor == nullptr || !tensor->allocation ? nullptr : &*tensor->allocation;
    }

    void noteWritten(ValueId id) {
        written[id.value] = true;
        if (const program::Allocation* const place = placeOf(id)) {
            places.emplace(place->arena.value, place->offset);
        }
    }

    /// Exporters leave out the instructions of views with static sizes: such a view only has the place of the
    /// value that it shows. State shares its place with no other value.
    [[nodiscard]] bool isWritten(ValueId id) const {
        const program::Allocation* const place = placeOf(id);
        return written[id.value] ||
               (place != nullptr && places.contains({place->arena.value, place->offset}));
    }

    /// Owners are followed when an alias is added, so that each chain has one link.
    [[nodiscard]] ValueId ownerOf(ValueId id) const { return owners[id.value]; }

    const program::Method& method;
    std::vector<bool> written;                                 ///< by value: its memory has contents
    std::vector<ValueId> owners;                               ///< by value: the value whose memory it shares
    std::set<std::pair<std::uint32_t, std::uint64_t>> places;  ///< written ones: arena, offset
    std::set<ValueId> state;
};

/// Dtype and sizes.
using Type = std::pair<std::int64_t, std::vector<std::int64_t>>;

Type typeOf(const TensorInfo& tensor) {
    return {tensor.scalarType, {tensor.sizes.begin(), tensor.sizes.end()}};
}

std::optional<Type> typeOf(const ExportedGraph& graph, std::string_view value) {
    const auto meta = graph.tensors.find(value);
    if (meta == graph.tensors.end()) {
        return std::nullopt;
    }
    Type type{static_cast<std::int64_t>(meta->second.scalarType), {}};
    for (const etrecord::SymInt& size : meta->second.sizes) {
        type.second.push_back(size.value);
    }
    return type;
}

/// Buffers that the graph changes, in the order of its inputs.
std::vector<const InputSpec*> mutableBuffers(const ExportedGraph& graph) {
    std::vector<const InputSpec*> buffers;
    for (const InputSpec& input : graph.inputSpecs) {
        if (etrecord::isMutatedBuffer(graph, input)) {
            buffers.push_back(&input);
        }
    }
    return buffers;
}

/// All state of the method: with first values, or among `starting`. Ascending.
std::vector<ValueId> allState(const program::Method& method, const std::vector<ValueId>& starting) {
    std::vector<ValueId> all;
    for (std::uint32_t i = 0; i < method.values.size(); ++i) {
        const auto* const tensor = method.values[i].as<TensorInfo>();
        const bool hasValues =
            tensor != nullptr && tensor->allocation && tensor->initialData != program::InitialData::None;
        if (hasValues || std::ranges::contains(starting, ValueId(i))) {
            all.emplace_back(i);
        }
    }
    return all;
}

/// Pairs state of the program and buffers of the graph.
class BufferPairs {
  public:
    BufferPairs(const ExportedGraph& graph, const program::Method& method,
                const std::vector<ValueId>& starting) {
        for (const InputSpec* buffer : mutableBuffers(graph)) {
            byName.emplace(buffer->target, buffer);
            if (const auto type = typeOf(graph, buffer->value)) {
                groups[*type].buffers.push_back(buffer);
            }
        }
        for (const ValueId id : allState(method, starting)) {
            groups[typeOf(*method.value(id).as<TensorInfo>())].state.push_back(id);
        }
    }

    [[nodiscard]] const InputSpec* bufferOf(const program::Method& method, ValueId id) const {
        const TensorInfo& tensor = *method.value(id).as<TensorInfo>();
        if (const auto named = byName.find(tensor.name); !tensor.name.empty() && named != byName.end()) {
            return named->second;
        }
        const auto group = groups.find(typeOf(tensor));
        if (group == groups.end() || group->second.state.size() != group->second.buffers.size()) {
            return nullptr;
        }
        const auto at = std::ranges::find(group->second.state, id) - group->second.state.begin();
        return group->second.buffers[static_cast<std::size_t>(at)];
    }

  private:
    struct Group {
        std::vector<const InputSpec*> buffers;
        std::vector<ValueId> state;
    };
    std::map<std::string_view, const InputSpec*> byName;
    std::map<Type, Group> groups;
};

bool isZero(const core::Tensor& tensor) {
    return std::ranges::all_of(tensor.rawBytes(), [](std::byte each) { return each == std::byte{0}; });
}

}  // namespace

std::vector<ValueId> stateStartingAtZero(const program::Method& method) {
    return StateFinder(method).find();
}

Result<std::vector<LostFirstValues>> findLostFirstValues(const etrecord::Record& record,
                                                         const program::Method& method,
                                                         std::uint64_t maxBytes) {
    const std::vector<ValueId> starting = stateStartingAtZero(method);
    const ExportedGraph* const graph = record.edgeGraph(method.name);
    std::vector<LostFirstValues> lost;
    if (starting.empty() || graph == nullptr) {
        return lost;
    }
    const BufferPairs pairs(*graph, method, starting);
    const std::string entry = record.layout() == etrecord::RecordLayout::Legacy2023
                                  ? std::string("edge_dialect_exported_program")
                                  : fmt::format("edge_dialect_exported_program/{}", method.name);
    ET_ASSIGN(auto tensors, backends::reference::ArchivedTensors::open(
                                record, {entry + "_state_dict", entry + "_constants"}, maxBytes));
    for (const ValueId id : starting) {
        const InputSpec* const buffer = pairs.bufferOf(method, id);
        if (buffer == nullptr) {
            continue;
        }
        ET_ASSIGN(auto recorded, tensors.find(buffer->target));
        if (recorded && !isZero(recorded->view)) {
            lost.push_back({.value = id,
                            .buffer = buffer->target,
                            .input = buffer->value,
                            .recorded = *std::move(recorded)});
        }
    }
    return lost;
}

std::vector<BufferPlace> findBuffers(const ExportedGraph& graph, const program::Method& method) {
    const std::vector<ValueId> starting = stateStartingAtZero(method);
    const BufferPairs pairs(graph, method, starting);
    std::vector<BufferPlace> places;
    for (const ValueId id : allState(method, starting)) {
        if (const InputSpec* const buffer = pairs.bufferOf(method, id)) {
            places.push_back({.value = id, .input = buffer->value});
        }
    }
    return places;
}

std::string_view remedyForFirstValues() {
    return "Export with the pass InitializedMutableBufferPass, which keeps first values, or lower from the "
           "ETRecord ('et-inspect lower').";
}

}  // namespace et::inspector
