#include "backends/xnnpack/delegate/graph_runtime.h"

#include "backends/xnnpack/custom_kernels/custom_table.h"
#include "backends/xnnpack/custom_kernels/faster_nodes.h"
#include "backends/xnnpack/custom_kernels/joined_nodes.h"
#include "backends/xnnpack/nodes/stored_types.h"
#include "runtime/builder/memory_planner.h"
#include "runtime/core/event_tracer.h"

#include <xnnpack.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace et::backends::xnnpack {
namespace {

using core::Result;

constexpr std::size_t noNode = SIZE_MAX;
/// Each part has a list of all values: at most 300 MB.
constexpr std::size_t maxPartValues = std::size_t{1} << 21U;

bool isInside(const Payload& payload, ValueIndex value) {
    return value != noValue && payload.value(value).constant == 0;
}

bool isQuantization(const Payload& payload, const PayloadNode& node) {
    return payload.value(node.outputs[0]).datatype == Datatype::QDInt8;
}

/// Whether the node's dynamically quantized output is an output of the delegate.
bool isShown(const Payload& payload, const PayloadNode& node) {
    return isQuantization(payload, node) && payload.value(node.outputs[0]).isOutput;
}

/// Nodes (indices into Payload::nodes) computed in one step.
struct Run {
    std::vector<std::size_t> nodes;
    std::size_t own = noNode;  ///< the node computed by a custom kernel; the others are fused into it

    bool isComplete = false;  ///< the next node needs another run

    [[nodiscard]] bool isOurs() const { return own != noNode; }
};

/// Dynamically quantized values only exist inside the library's graph, so each run that reads one includes
/// the node that produces it; nodes of custom kernels quantize by themselves. If the caller needs the value,
/// it is computed once more, as the library does it.
class Runs {
  public:
    /// `roundedValues`: those that must be rounded before another node reads them.
    Runs(const Payload& from, std::span<const NodePath> ofNodes, const JoinedNodes& withOthers,
         const std::vector<bool>& roundedValues)
        : payload(from),
          paths(ofNodes),
          joined(withOthers),
          rounded(roundedValues),
          quantizes(from.values.size(), noNode),
          lastRun(from.nodes.size()) {}

    std::vector<Run> find() {
        for (std::size_t i = 0; i < payload.nodes.size(); ++i) {
            if (joined.isJoined(i)) {
                continue;
            }
            if (isOwn(paths[i]) || isShown(payload, payload.nodes[i])) {
                addOwn(i);
            }
            if (!isOwn(paths[i])) {
                isQuantization(payload, payload.nodes[i]) ? note(i) : add(i);
            }
        }
        return std::move(runs);
    }

  private:
    void note(std::size_t quantization) { quantizes[payload.nodes[quantization].outputs[0]] = quantization; }

    void addOwn(std::size_t node) {
        runs.push_back({.nodes = {}, .own = node});
        append(node);
        runs.back().nodes.insert(runs.back().nodes.end(), joined.of(node).begin(), joined.of(node).end());
    }

    void add(std::size_t node) {
        if (runs.empty() || runs.back().isOurs() || runs.back().isComplete) {
            runs.push_back({});
        }
        append(node);
        runs.back().isComplete = std::ranges::any_of(payload.nodes[node].outputs,
                                                     [&](ValueIndex output) { return rounded[output]; });
    }

    /// Adds the node to the last run, after the nodes that quantize its inputs.
    void append(std::size_t node) {
        for (const ValueIndex input : payload.nodes[node].inputs) {
            const std::size_t first = input == noValue ? noNode : quantizes[input];
            if (first != noNode && std::exchange(lastRun[first], runs.size()) != runs.size()) {
                runs.back().nodes.push_back(first);
            }
        }
        runs.back().nodes.push_back(node);
    }

    const Payload& payload;
    std::span<const NodePath> paths;
    const JoinedNodes& joined;
    const std::vector<bool>& rounded;
    std::vector<std::size_t> quantizes;  ///< the node that produces a dynamically quantized value
    std::vector<std::size_t> lastRun;    ///< the last run that contains such a node, counted from 1
    std::vector<Run> runs;
};

}  // namespace

class GraphRuntime::Maker {
  public:
    Maker(const Payload& from, const ConstantData& data, const Shapes& known,
          const std::shared_ptr<SharedMemory>& memory, const kernels::ThreadPool& pool, Options given,
          std::uint64_t maxBytes)
        : payload(from),
          constants(data),
          shapes(known),
          shared(memory),
          threads(pool),
          options(given),
          memoryBytes(maxBytes) {}

    Result<GraphRuntime> make() {
        made.payload = &payload;
        made.shared = shared;
        made.widenHalf = options.widenHalf;
        made.profiled = options.profiled;
        made.allNodes.reserve(payload.nodes.size());
        paths = pathsOf(payload, options.widenHalf);
        findFaster();
        joined = JoinedNodes::find(payload, shapes, paths);
        findRounded();
        if (std::ranges::none_of(paths, isOwn) && !std::ranges::contains(rounded, true) &&
            std::ranges::none_of(payload.nodes,
                                 [this](const PayloadNode& node) { return isShown(payload, node); })) {
            ET_TRY(addLibrary(nullptr, {}));
            return std::move(made);
        }
        made.places.resize(payload.values.size());
        runs = Runs(payload, paths, joined, rounded).find();
        findHandedOver();
        for (const auto& run : runs) {
            ET_TRY(run.isOurs() ? addOwn(run.own) : addPart(run.nodes));
            addRounded(run);
        }
        return std::move(made);
    }

  private:
    /// A graph that would need too many parts is only rounded at its outputs.
    void findRounded() {
        rounded = roundedValues(payload);
        const auto count = static_cast<std::size_t>(std::ranges::count(rounded, true));
        if (count * payload.values.size() > maxPartValues / 2) {
            rounded.assign(payload.values.size(), false);
        }
    }

    void addRounded(const Run& run) {
        if (run.isOurs()) {
            return;
        }
        for (const std::size_t node : run.nodes) {
            for (const ValueIndex output : payload.nodes[node].outputs) {
                if (rounded[output]) {
                    made.steps.back().rounded.push_back({.value = output});
                }
            }
        }
    }

    void findFaster() {
        for (std::size_t i = 0; i < paths.size(); ++i) {
            if (paths[i] == NodePath::Library &&
                isFasterByUs(payload, payload.nodes[i], shapes, threads.threads())) {
                paths[i] = NodePath::CustomFaster;
            }
        }
    }

    /// Finds the values passed from one run to another, and their lifetimes.
    void findHandedOver() {
        std::vector<std::size_t> writtenIn(payload.values.size(), noNode);
        leaves.resize(payload.values.size());
        innerOf.assign(payload.values.size(), noNode);
        for (std::size_t run = 0; run < runs.size(); ++run) {
            for (const std::size_t node : runs[run].nodes) {
                for (const ValueIndex input : payload.nodes[node].inputs) {
                    if (isInside(payload, input) && writtenIn[input] != noNode && writtenIn[input] != run) {
                        handOver(input, writtenIn[input], run);
                    }
                }
                for (const ValueIndex output : payload.nodes[node].outputs) {
                    writtenIn[output] = run;
                    leaves[output] = leaves[output] || payload.value(output).isOutput;
                }
            }
        }
    }

    void handOver(ValueIndex value, std::size_t writer, std::size_t reader) {
        if (innerOf[value] == noNode) {
            innerOf[value] = made.inner.size();
            made.inner.push_back({.value = value, .firstStep = writer});
        }
        // An output of the delegate is live until the end.
        made.inner[innerOf[value]].lastStep = payload.value(value).isOutput ? runs.size() : reader;
        leaves[value] = true;
    }

    Result<> addOwn(std::size_t node) {
        const auto behind = joined.of(node);
        const bool isTable = !behind.empty() && payload.nodes[node].traits->kind == NodeKind::Convert;
        const std::size_t named = isTable ? behind.front() : node;
        Step step;
        shared->weights->open(memoryBytes);
        auto own = makeOwn(node, behind);
        shared->weights->close();
        ET_ASSIGN(step.own, std::move(own));
        const NodeKindInfo& traits = *payload.nodes[named].traits;
        made.allNodes.push_back(
            {.payloadNode = named, .operatorNames = traits.operatorNames, .tracedAs = traits.tracedAs});
        made.steps.push_back(std::move(step));
        return {};
    }

    /// `behind`: nodes fused into `node`.
    Result<std::unique_ptr<CustomNode>> makeOwn(std::size_t node, std::span<const std::size_t> behind) const {
        const CustomNode::Source source{.payload = payload,
                                        .constants = constants,
                                        .threads = threads,
                                        .widenHalf = options.widenHalf,
                                        .weights = shared->weights.get()};
        if (behind.empty()) {
            return makeOwnNode(source, node, paths[node]);
        }
        if (payload.nodes[node].traits->kind != NodeKind::Convert) {
            return makeFasterNode(source, withClamp(payload.nodes[node], payload.nodes[behind.front()]));
        }
        std::vector<const PayloadNode*> nodes{&payload.nodes[node]};
        for (const std::size_t each : behind) {
            nodes.push_back(&payload.nodes[each]);
        }
        return CustomTable::make(source, nodes);
    }

    /// Adds a payload with only the nodes of a run and the values they use. Values keep their indices.
    Result<> addPart(std::span<const std::size_t> nodes) {
        partValues += payload.values.size();
        if (partValues > maxPartValues) {
            return core::fail(core::ErrorCode::Limit, "a delegate's graph splits into too many parts");
        }
        auto part = std::make_unique<Payload>();
        part->values.resize(payload.values.size());
        std::vector<bool> written(payload.values.size());
        for (const std::size_t node : nodes) {
            part->nodes.push_back(payload.nodes[node]);
            takeValues(*part, part->nodes.back().inputs);
            takeValues(*part, part->nodes.back().outputs);
            for (const ValueIndex input : payload.nodes[node].inputs) {
                if (isInside(payload, input) && !written[input] && !part->values[input].isInput) {
                    part->values[input].isInput = true;
                    part->externals.push_back(input);
                }
            }
            for (const ValueIndex output : payload.nodes[node].outputs) {
                written[output] = true;
                if (leaves[output] && !isQuantization(payload, payload.nodes[node])) {
                    part->values[output].isOutput = true;
                    part->externals.push_back(output);
                }
            }
        }
        return addLibrary(std::move(part), nodes);
    }

    void takeValues(Payload& part, std::span<const ValueIndex> indices) const {
        for (const ValueIndex index : indices) {
            if (index != noValue && part.values[index].datatype == Datatype::Invalid) {
                part.values[index] = payload.values[index];
                part.values[index].isInput = false;
                part.values[index].isOutput = false;
            }
        }
    }

    /// `nodeOf`: maps nodes of the part to nodes of the payload.
    Result<> addLibrary(std::unique_ptr<Payload> part, std::span<const std::size_t> nodeOf) {
        Step step;
        ET_ASSIGN(step.library, LibraryRuntime::make(part ? *part : payload, constants, shapes, shared,
                                                     threads, options, memoryBytes));
        made.oneShape = made.oneShape || step.library->isForOneShape();
        for (const LibraryNode& node : step.library->nodes()) {
            made.allNodes.push_back(node);
            made.allNodes.back().payloadNode = part ? nodeOf[node.payloadNode] : node.payloadNode;
        }
        step.addresses.resize(part ? part->externals.size() : 0);
        step.part = std::move(part);
        made.steps.push_back(std::move(step));
        return {};
    }

    const Payload& payload;
    const ConstantData& constants;
    const Shapes& shapes;
    const std::shared_ptr<SharedMemory>& shared;
    const kernels::ThreadPool& threads;
    Options options;
    std::uint64_t memoryBytes;
    std::vector<NodePath> paths;  ///< by node
    JoinedNodes joined;
    std::vector<bool> rounded;  ///< by ValueIndex: see roundedValues()
    std::vector<Run> runs;
    std::vector<bool> leaves;          ///< by ValueIndex: written in a run and read in another
    std::vector<std::size_t> innerOf;  ///< by ValueIndex: index into GraphRuntime::inner; noNode: no other
                                       ///< run reads it
    std::size_t partValues = 0;
    GraphRuntime made;
};

Result<GraphRuntime> GraphRuntime::make(const Payload& payload, const ConstantData& constants,
                                        const Shapes& shapes, const std::shared_ptr<SharedMemory>& shared,
                                        const kernels::ThreadPool& threads, Options options,
                                        std::uint64_t memoryBytes) {
    return Maker(payload, constants, shapes, shared, threads, options, memoryBytes).make();
}

Result<> GraphRuntime::reshape(const Shapes& shapes) {
    for (Step& step : steps) {
        if (step.own) {
            step.own->reshape(shapes);
        } else {
            ET_TRY(step.library->reshape(step.part ? *step.part : *payload, shapes));
        }
        for (RoundedValue& each : step.rounded) {
            each.count = elementsOf(shapes[each.value]);
        }
    }
    for (Inner& each : inner) {
        each.bytes = storedBytes(*payload, each.value, shapes[each.value], widenHalf);
    }
    return placeInner();
}

Result<> GraphRuntime::placeInner() {
    constexpr std::uint64_t cacheLine = 64;
    std::vector<builder::MemoryBlock> blocks;
    for (const Inner& each : inner) {
        // The library may read beyond the end of a value.
        blocks.push_back({.bytes = each.bytes + XNN_EXTRA_BYTES,
                          .firstStep = static_cast<std::int64_t>(each.firstStep),
                          .lastStep = static_cast<std::int64_t>(each.lastStep)});
    }
    ET_ASSIGN(const auto plan, builder::planMemory(blocks, builder::PlanStrategy::Greedy, cacheLine));
    for (std::size_t i = 0; i < inner.size(); ++i) {
        inner[i].offset = plan.offsets[i];
    }
    if (plan.bytes > shared->workspace->between.size()) {
        shared->workspace->between.resize(plan.bytes);
    }
    return {};
}

Result<> GraphRuntime::run(std::span<void* const> addresses) {
    if (places.empty()) {
        return steps.front().library->run(addresses);
    }
    for (std::size_t i = 0; i < addresses.size(); ++i) {
        places[payload->externals[i]] = addresses[i];
    }
    for (const Inner& each : inner) {
        places[each.value] = shared->workspace->between.data() + each.offset;
    }
    for (Step& step : steps) {
        if (step.own) {
            const std::uint64_t start = profiled ? core::EventTracer::now() : 0;
            step.own->run(places);
            step.microseconds = profiled ? (core::EventTracer::now() - start) / nanosecondsPerMicrosecond : 0;
            continue;
        }
        std::ranges::transform(step.part->externals, step.addresses.begin(),
                               [this](ValueIndex value) { return places[value]; });
        ET_TRY(step.library->run(step.addresses));
        round(step);
    }
    for (std::size_t i = 0; i < addresses.size(); ++i) {
        const auto* from = static_cast<const std::byte*>(places[payload->externals[i]]);
        if (from != addresses[i]) {
            const auto copied = std::ranges::find(inner, payload->externals[i], &Inner::value);
            std::memcpy(addresses[i], from, copied->bytes);
        }
    }
    return {};
}

void GraphRuntime::round(const Step& step) const {
    for (const RoundedValue& each : step.rounded) {
        roundNumbers(Datatype::BFloat16, std::span(static_cast<float*>(places[each.value]), each.count));
    }
}

std::uint64_t GraphRuntime::packedBytes() const {
    std::uint64_t bytes = 0;
    for (const Step& step : steps) {
        bytes += step.own ? step.own->packedBytes() : 0;
    }
    return bytes;
}

Result<std::vector<std::string>> GraphRuntime::operatorNames() const {
    std::vector<std::string> names;
    for (const Step& step : steps) {
        if (step.own) {
            names.push_back(step.own->name());
            continue;
        }
        ET_ASSIGN(const std::vector<std::string> some, step.library->operatorNames());
        names.insert(names.end(), some.begin(), some.end());
    }
    return names;
}

Result<> GraphRuntime::operatorTimes(std::span<std::uint64_t> microseconds) const {
    for (const Step& step : steps) {
        std::size_t count = 1;
        if (step.own) {
            microseconds.front() = step.microseconds;
        } else {
            ET_ASSIGN(count, step.library->operatorTimes(microseconds));
        }
        microseconds = microseconds.subspan(count);
    }
    return {};
}

}  // namespace et::backends::xnnpack
