#include "app/tasks/lab/method_rewrite.h"

#include "backends/lowering/emission_order.h"
#include "backends/lowering/permute_elements.h"
#include "runtime/builder/memory_planner.h"
#include "runtime/core/dim_order.h"
#include "runtime/core/mapped_ranges.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <utility>

namespace et::tasks {

using backends::lowering::DelegatedPart;
using backends::lowering::EdgeMethod;
using backends::lowering::EmittedMethod;
using backends::lowering::NodeDecision;
using backends::lowering::PartConstant;
using backends::lowering::PartitionedMethod;
using backends::reference::ReferenceTensor;
using core::ErrorCode;
using core::fail;
using core::InstructionId;
using core::Result;
using etrecord::Node;
using program::TensorInfo;
using program::ValueId;

namespace {

/// Returns a constant of the program in row-major order; nothing for other values.
Result<std::optional<ReferenceTensor>> constantOf(const program::Method& method, std::string_view name) {
    const auto id = valueOfGraph(name);
    const auto* info = id && id->value < method.values.size() ? method.value(*id).as<TensorInfo>() : nullptr;
    if (info == nullptr || info->initialData != program::InitialData::Program || !info->byteSize ||
        !core::scalarType(info->scalarType)) {
        return std::nullopt;
    }
    std::vector<std::int64_t> inMemory;
    std::vector<std::uint8_t> back(info->dimOrder.size());
    for (std::size_t i = 0; i < info->dimOrder.size(); ++i) {
        inMemory.push_back(info->sizes[info->dimOrder[i]]);
        back[info->dimOrder[i]] = static_cast<std::uint8_t>(i);
    }
    const auto dtype = static_cast<core::ScalarType>(info->scalarType);
    ET_ASSIGN(core::Tensor view, core::Tensor::make(dtype, info->sizes, nullptr));
    if (std::ranges::is_sorted(info->dimOrder) && std::cmp_equal(*info->byteSize, info->data.size()) &&
        std::bit_cast<std::uintptr_t>(info->data.data()) % view.elementSize() == 0) {
        // Nothing writes through the view of a constant.
        // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): see above
        view.setMemory(const_cast<std::byte*>(info->data.data()), info->data.size());
        view.setConstant(true);
        // The last user releases the pages, so that a pass over all weights has few in memory.
        return ReferenceTensor{
            .view = view,
            .owner = std::shared_ptr<const void>(
                info->data.data(), [data = info->data](const void*) { core::releaseMappedPages(data); })};
    }
    const auto owner = std::make_shared<std::vector<std::byte>>(
        backends::lowering::permuteElements(info->data, view.elementSize(), inMemory, back));
    view.setMemory(owner->data(), owner->size());
    return ReferenceTensor{.view = view, .owner = owner};
}

class MethodRewrite {
  public:
    MethodRewrite(program::Method& what, const program::Method& data, const RewriteOptions& how,
                  backends::lowering::WeightStore& store)
        : method(what), constants(data), options(how), weights(store) {}

    Result<RewrittenMethod> run() {
        if (method.chains.size() != 1) {
            return fail(ErrorCode::Unsupported,
                        fmt::format("method \"{}\": expected one chain of instructions, got {}",
                                    core::printable(method.name), method.chains.size()));
        }
        ET_ASSIGN(values, MethodValues::of(constants));
        std::vector<ProgramBlock> blocks = blocksOf(constants, values, options.kernels, options.notes);
        graph = std::make_shared<etrecord::ExportedGraph>();
        std::size_t count = 0;
        for (const ProgramBlock& block : blocks) {
            count += block.graph.nodes.size();
        }
        graph->nodes.reserve(count);  // instructions refer to them
        for (const ProgramBlock& block : blocks) {
            places[block.first] = chain.instructions.size();
            ET_TRY(block.rule.empty() ? addBlock(block) : addAlone(block));
        }
        finish();
        return std::move(out);
    }

  private:
    [[nodiscard]] const program::Chain& before() const { return method.chains.front(); }

    Result<> addAlone(const ProgramBlock& block) {
        graph->nodes.push_back(block.graph.nodes.front());
        static_cast<void>(options.mayTake(graph->nodes.back()));  // called to mark its name as known
        out.lowered.partition.decisions.push_back({.rule = block.rule});
        keep(block.first, graph->nodes.back());
        return {};
    }

    Result<> addBlock(const ProgramBlock& block) {
        const auto source = [this](std::string_view target) { return constantOf(constants, target); };
        ET_ASSIGN(EdgeMethod edge, EdgeMethod::of(method.name, block.graph, source));
        PartitionedMethod made;
        std::vector<bool> allowed;
        std::ranges::transform(block.graph.nodes, std::back_inserter(allowed), options.mayTake);
        if (options.partitioner) {
            ET_ASSIGN(made, options.partitioner(
                                edge, [&](etrecord::NodeIndex node) { return allowed[node]; }, weights));
        } else {
            made.decisions.resize(block.graph.nodes.size());
        }
        ET_ASSIGN(const auto order, backends::lowering::emissionOrder(edge, made.parts));
        const std::size_t firstNode = graph->nodes.size();
        const std::size_t firstPart = out.lowered.partition.parts.size();
        std::ranges::copy(block.graph.nodes, std::back_inserter(graph->nodes));
        take(std::move(made), firstNode);
        for (const EmittedMethod::Origin& origin : order) {
            if (const auto* part = std::get_if<std::size_t>(&origin)) {
                call(firstPart + *part);
                continue;
            }
            const auto node =
                static_cast<std::size_t>(std::get<const Node*>(origin) - block.graph.nodes.data());
            if (block.instructions[node]) {
                keep(*block.instructions[node], graph->nodes[firstNode + node]);
            }
        }
        return {};
    }

    /// Appends the parts and decisions of a block to those of the method.
    void take(PartitionedMethod made, std::size_t firstNode) {
        PartitionedMethod& all = out.lowered.partition;
        const std::size_t firstPart = all.parts.size();
        for (NodeDecision& decision : made.decisions) {
            if (decision.part) {
                *decision.part += firstPart;
            }
            all.decisions.push_back(std::move(decision));
        }
        for (DelegatedPart& part : made.parts) {
            for (etrecord::NodeIndex& node : part.nodes) {
                node += static_cast<etrecord::NodeIndex>(firstNode);
            }
            all.parts.push_back(std::move(part));
        }
    }

    void keep(std::size_t instruction, const Node& node) {
        out.lowered.emitted.origins.emplace(next(), &node);
        out.instructions.emplace_back(instruction);
        chain.instructions.push_back(before().instructions[instruction]);
        if (!before().stackTraces.empty()) {
            chain.stackTraces.push_back(before().stackTraces[instruction]);
        }
    }

    void call(std::size_t which) {
        const DelegatedPart& part = out.lowered.partition.parts[which];
        program::DelegateCall made{
            .delegate = program::DelegateId(static_cast<std::uint32_t>(method.delegates.size() + which)),
            .args = {}};
        for (const std::string& name : part.inputs) {
            made.args.push_back(*valueOfGraph(name));
        }
        for (const PartConstant& each : part.constants) {
            made.args.push_back(add(each));
        }
        for (const std::string& name : part.outputs) {
            made.args.push_back(*valueOfGraph(name));
            giveMemory(made.args.back());
        }
        out.lowered.emitted.origins.emplace(next(), which);
        out.instructions.emplace_back(std::nullopt);
        chain.instructions.emplace_back(std::move(made));
        if (!before().stackTraces.empty()) {
            chain.stackTraces.emplace_back();
        }
    }

    /// Borrows the data of the constant.
    ValueId add(const PartConstant& constant) {
        TensorInfo info;
        info.scalarType = std::to_underlying(constant.dtype);
        info.initialData = program::InitialData::Program;
        info.sizes = core::SizeList(constant.sizes);
        info.dimOrder = core::rowMajorOrder(constant.sizes.size());
        info.byteSize = static_cast<std::int64_t>(constant.elements.size());
        info.data = constant.elements;
        method.values.emplace_back(std::move(info));
        return ValueId(static_cast<std::uint32_t>(method.values.size() - 1));
    }

    [[nodiscard]] bool isView(ValueId id) const {
        const auto isOf = [&](const auto& access) { return access.alias && access.alias->second == id; };
        return std::ranges::any_of(
                   values.views, [&](const auto& each) { return std::ranges::contains(each.second, id); }) ||
               std::ranges::any_of(values.accesses, isOf);
    }

    /// A former view computed by a delegate becomes a separate tensor.
    void giveMemory(ValueId id) {
        auto* info = method.values[id.value].as<TensorInfo>();
        const bool isCallers = info != nullptr && !info->allocation && values.isOutput[id.value];
        if (info == nullptr || isCallers || !isView(id)) {
            return;
        }
        const program::ArenaId arena = info->allocation ? info->allocation->arena : program::ArenaId(1);
        if (method.arenas.size() <= arena.value) {
            method.arenas.resize(arena.value + 1);
        }
        std::uint64_t& end = method.arenas[arena.value].bytes;
        end = (end + builder::planAlignment - 1) / builder::planAlignment * builder::planAlignment;
        info->allocation = program::Allocation{.arena = arena, .offset = end};
        end += static_cast<std::uint64_t>(info->byteSize.value_or(0));
    }

    [[nodiscard]] InstructionId next() const {
        return InstructionId(static_cast<std::int32_t>(chain.instructions.size()));
    }

    void finish() {
        places[before().instructions.size()] = chain.instructions.size();
        for (program::Instruction& each : chain.instructions) {
            if (auto* jump = std::get_if<program::JumpFalseCall>(&each)) {
                const auto place = places.find(static_cast<std::size_t>(jump->destination.value));
                jump->destination = InstructionId(static_cast<std::int32_t>(place->second));
            }
        }
        for (const DelegatedPart& part : out.lowered.partition.parts) {
            method.delegates.push_back({.backend = part.backend,
                                        .payload = part.payload,
                                        .segment = program::SegmentId(),  // numbered by the writer
                                        .compileSpecs = {}});
        }
        chain.inputs = before().inputs;
        chain.outputs = before().outputs;
        method.chains.front() = std::move(chain);
        out.lowered.name = method.name;
        out.lowered.graph = graph.get();
        out.lowered.ownGraph = graph;
    }

    program::Method& method;
    const program::Method& constants;
    const RewriteOptions& options;
    backends::lowering::WeightStore& weights;
    MethodValues values;
    std::shared_ptr<etrecord::ExportedGraph> graph;
    program::Chain chain;
    std::map<std::size_t, std::size_t> places;  ///< old first instruction of a block to the new one
    RewrittenMethod out;
};

}  // namespace

Result<RewrittenMethod> rewriteMethod(program::Method& method, const program::Method& constants,
                                      const RewriteOptions& options,
                                      backends::lowering::WeightStore& weights) {
    return MethodRewrite(method, constants, options, weights).run();
}

}  // namespace et::tasks
