#include "inspector/memory/allocation_trace.h"

#include "inspector/format/json_text.h"
#include "inspector/join/node_fields.h"
#include "runtime/core/json_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

namespace et::inspector {
namespace {

constexpr std::uint64_t maxBoxes = 1'000'000;

/// A tensor with what its boxes show.
struct TracedTensor {
    const PlannedTensor* tensor = nullptr;
    std::string name;
    format::Dict details{};
};

std::uint64_t boxesOf(const PlannedTensor& tensor) {
    return tensor.firstStep > tensor.lastStep
               ? 0
               : static_cast<std::uint64_t>(tensor.lastStep - tensor.firstStep) + 1;
}

std::string joinedLines(const format::List& lines) {
    std::string text;
    for (const format::Cell& line : lines) {
        text += (text.empty() ? "" : "\n") + std::get<std::string>(line);
    }
    return text;
}

class AllocationTrace {
  public:
    explicit AllocationTrace(AllocationPlace where) : place(where) {
        out.beginObject();
        out.key("traceEvents");
        out.beginArray();
    }

    void add(const MemoryView& view) {
        std::vector<TracedTensor> tensors = traced(view);
        for (const ArenaTimeline& arena : view.timeline.arenas) {
            const std::uint64_t process = before + arena.arena.value;
            writeName("process_name", process, std::nullopt,
                      fmt::format("{}: arena {}", view.timeline.method->name, arena.arena.value));
            writeSteps(view, arena.arena, process, tensors);
            last = std::max(last, process);
        }
        before = last;
    }

    std::string take() {
        out.endArray();
        out.endObject();
        return out.take() + "\n";
    }

  private:
    /// In the order of values, as ExecuTorch's.
    static std::vector<TracedTensor> traced(const MemoryView& view) {
        std::map<core::InstructionId, std::size_t> written;
        for (const PlannedTensor& each : view.timeline.tensors) {
            if (each.producer) {
                ++written[each.producer->instruction];
            }
        }
        std::vector<TracedTensor> tensors;
        for (const PlannedTensor& each : view.timeline.tensors) {
            const auto nodes = each.producer ? view.nodes.nodesOf(each.producer->instruction)
                                             : std::vector<const etrecord::Node*>();
            TracedTensor made{.tensor = &each, .name = std::string(each.name)};
            // A delegate computes several nodes, the last of which is its output if it has only one.
            if (made.name.empty() && !nodes.empty() &&
                (nodes.size() == 1 || written[each.producer->instruction] == 1)) {
                made.name = nodes.back()->name;
            }
            if (made.name.empty()) {
                made.name = fmt::format("value_{}", each.value.value);
            }
            const format::Cell module = commonModule(nodes);
            const auto* const name = std::get_if<std::string>(&module);
            made.details = {{"op_name", each.producerName},
                            {"Memory ID", std::uint64_t{each.arena.value}},
                            {"fqn", name == nullptr ? std::string() : *name},
                            {"source", joinedLines(sourceLines(nodes))},
                            {"bytes", each.bytes}};
            tensors.push_back(std::move(made));
        }
        std::ranges::stable_sort(tensors, {}, [](const TracedTensor& each) { return each.tensor->value; });
        return tensors;
    }

    void writeSteps(const MemoryView& view, program::ArenaId arena, std::uint64_t process,
                    const std::vector<TracedTensor>& tensors) {
        const auto steps = static_cast<Step>(view.timeline.steps.size());
        std::vector<std::vector<const TracedTensor*>> alive(static_cast<std::size_t>(steps) + 2);
        for (const TracedTensor& each : tensors) {
            if (each.tensor->arena == arena) {
                for (Step step = std::max<Step>(each.tensor->firstStep, -1);
                     step <= std::min(each.tensor->lastStep, steps); ++step) {
                    alive[static_cast<std::size_t>(step + 1)].push_back(&each);
                }
            }
        }
        for (std::size_t thread = 0; thread < alive.size(); ++thread) {
            if (!alive[thread].empty()) {
                writeName("thread_name", process, thread, nameOfStep(view, static_cast<Step>(thread) - 1));
            }
            std::uint64_t stacked = 0;
            for (const TracedTensor* const each : alive[thread]) {
                writeBox(*each, process, thread, stacked);
                stacked += each->tensor->bytes;
            }
        }
    }

    static std::string nameOfStep(const MemoryView& view, Step step) {
        const auto steps = static_cast<Step>(view.timeline.steps.size());
        if (step < 0 || step >= steps) {
            return step < 0 ? "inputs" : "outputs";
        }
        const auto at = static_cast<std::size_t>(step);
        return fmt::format("{} {}", view.timeline.steps[at].instruction.value, view.timeline.stepNames[at]);
    }

    void writeBox(const TracedTensor& each, std::uint64_t process, std::size_t thread,
                  std::uint64_t stacked) {
        format::writeJson(
            out, format::Dict{{"name", each.name},
                              {"cat", std::string("memory_allocation")},
                              {"ph", std::string("X")},
                              {"ts", place == AllocationPlace::Offset ? each.tensor->offset : stacked},
                              {"dur", each.tensor->bytes},
                              {"pid", process},
                              {"tid", std::uint64_t{thread}},
                              {"args", each.details}});
    }

    void writeName(std::string_view what, std::uint64_t process, std::optional<std::uint64_t> thread,
                   std::string name) {
        format::Dict event{{"name", std::string(what)}, {"ph", std::string("M")}, {"pid", process}};
        if (thread) {
            event.emplace_back("tid", *thread);
        }
        event.emplace_back("args", format::Dict{{"name", std::move(name)}});
        format::writeJson(out, event);
    }

    AllocationPlace place;
    std::uint64_t before = 0;  ///< last process of the preceding methods
    std::uint64_t last = 0;
    core::JsonWriter out;
};

}  // namespace

core::Result<std::string> allocationTrace(std::span<const MemoryView> methods, AllocationPlace place) {
    std::uint64_t boxes = 0;
    for (const MemoryView& view : methods) {
        for (const PlannedTensor& each : view.timeline.tensors) {
            boxes += boxesOf(each);
        }
    }
    if (boxes > maxBoxes) {
        return core::fail(core::ErrorCode::Limit,
                          fmt::format("the tensors are alive at {} steps in total, at most {} can be drawn",
                                      boxes, maxBoxes));
    }
    AllocationTrace trace(place);
    for (const MemoryView& view : methods) {
        trace.add(view);
    }
    return trace.take();
}

}  // namespace et::inspector
