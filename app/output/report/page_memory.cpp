#include "app/output/report/page_memory.h"

#include "app/output/report/html.h"
#include "inspector/join/node_fields.h"
#include "inspector/memory/memory_picture.h"
#include "inspector/memory/memory_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string_view>
#include <utility>
#include <variant>

namespace et::output {
namespace {

using inspector::ConstantTensor;
using inspector::MemoryTimeline;
using inspector::PlannedTensor;

std::int64_t bytesOf(std::uint64_t bytes) {
    return static_cast<std::int64_t>(bytes);
}

std::vector<Cell> rowOf(std::string_view method, const PlannedTensor& tensor, const MemoryTimeline& timeline,
                        const inspector::InstructionNodes& known) {
    const bool written = tensor.producer.has_value();
    const Cell module =
        written ? inspector::commonModule(known.nodesOf(tensor.producer->instruction)) : Cell();
    return {std::string(method),
            static_cast<std::int64_t>(tensor.value.value),
            written ? Cell(inspector::readableWriter(tensor)) : Cell(),
            module,
            std::string(inspector::tensorKindName(tensor.kind)),
            std::string(tensor.name),
            tensor.type,
            bytesOf(tensor.bytes),
            static_cast<std::int64_t>(tensor.arena.value),
            bytesOf(tensor.offset),
            inspector::lifeText(tensor, timeline),
            written && tensor.producer->chain == 0 ? Cell(std::int64_t{tensor.producer->instruction.value})
                                                   : Cell()};
}

std::vector<Cell> rowOf(std::string_view method, const ConstantTensor& tensor) {
    return {std::string(method),
            static_cast<std::int64_t>(tensor.value.value),
            Cell(),
            Cell(),
            std::string("constant"),
            std::string(tensor.name),
            tensor.type,
            bytesOf(tensor.bytes),
            Cell(),
            Cell(),
            Cell(),
            Cell()};
}

constexpr std::size_t bytesColumn = 7;

}  // namespace

core::Result<PageMemory> PageMemory::of(const inspector::Session& session) {
    PageMemory out;
    if (session.program == nullptr) {
        return out;
    }
    for (const program::Method& method : session.program->methods) {
        ET_ASSIGN(auto timeline, MemoryTimeline::build(*session.program, method));
        out.timelines.push_back(std::move(timeline));
        out.nodes.emplace_back(session.recordOfProgram(), method.name);
    }
    return out;
}

std::string PageMemory::picture() const {
    // The picture has a rectangle for each tensor; with too many, the page would not open.
    constexpr std::size_t maxTensors = 20'000;
    std::size_t tensors = 0;
    std::vector<inspector::MemoryView> views;
    for (std::size_t i = 0; i < timelines.size(); ++i) {
        tensors += timelines[i].tensors.size();
        views.push_back({.timeline = timelines[i], .nodes = nodes[i]});
    }
    if (tensors > maxTensors) {
        return htmlParagraph(fmt::format("{} planned tensors are too many to draw.", tensors), "faint");
    }
    return tensors == 0 ? std::string() : inspector::memoryPicture(views);
}

Table PageMemory::largest(std::size_t most) const {
    Table out{.columns = {textColumn("method"), numberColumn("value"), textColumn("writer", "written by"),
                          textColumn("module"), textColumn("role"), textColumn("name"), textColumn("tensor"),
                          numberColumn("bytes", Measure::Bytes), numberColumn("arena"),
                          numberColumn("offset"), textColumn("alive"), textColumn("#i")}};
    for (std::size_t i = 0; i < timelines.size(); ++i) {
        const MemoryTimeline& timeline = timelines[i];
        for (const PlannedTensor& tensor : timeline.tensors) {
            if (tensor.bytes > 0) {
                out.rows.push_back(rowOf(timeline.method->name, tensor, timeline, nodes[i]));
            }
        }
        for (const ConstantTensor& tensor : timeline.constants) {
            if (tensor.bytes > 0 && !tensor.shared) {
                out.rows.push_back(rowOf(timeline.method->name, tensor));
            }
        }
    }
    std::ranges::stable_sort(out.rows, std::greater{}, [](const std::vector<Cell>& row) {
        return std::get<std::int64_t>(row[bytesColumn]);
    });
    out.rows.resize(std::min(out.rows.size(), most));
    return out;
}

void PageMemory::addWeights(Table& delegates) const {
    constexpr std::size_t behind = 4;  // payload bytes
    delegates.columns.insert(delegates.columns.begin() + behind, numberColumn("weights", Measure::Bytes));
    for (auto& row : delegates.rows) {
        const std::string method = inspector::format::cellText(row[0], delegates.columns[0]);
        const auto* const number = std::get_if<std::int64_t>(&row[1]);
        Cell weights;
        for (const MemoryTimeline& timeline : timelines) {
            for (const inspector::DelegateBytes& delegate : timeline.delegates) {
                if (number != nullptr && timeline.method->name == method &&
                    delegate.delegate.value == *number) {
                    weights = bytesOf(delegate.namedBytes);
                }
            }
        }
        row.insert(row.begin() + behind, weights);
    }
    const auto size = [](const std::vector<Cell>& row) {
        return cellNumber(row[behind - 1]).value_or(0) + cellNumber(row[behind]).value_or(0);
    };
    std::ranges::stable_sort(delegates.rows, std::greater{}, size);
}

}  // namespace et::output
