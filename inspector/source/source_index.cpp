#include "inspector/source/source_index.h"

#include "inspector/delegates/times.h"
#include "inspector/events/event_fields.h"
#include "inspector/events/event_rows.h"
#include "inspector/names/operator_names.h"
#include "inspector/names/python_stack.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

namespace et::inspector {

using core::Result;

namespace {

using SourcePosition = std::pair<std::string_view, std::int64_t>;  ///< path, line
using NodeList = std::vector<const etrecord::Node*>;

/// Limit on the frames of all stacks together, above the largest models.
constexpr std::size_t maxFrames = 20'000'000;

class Indexer {
  public:
    explicit Indexer(const SourceIndexSources& from) : sources(from) { index.method = from.method; }

    Result<SourceIndex> build() {
        const auto* graph = sources.record == nullptr ? nullptr : sources.record->edgeGraph(sources.method);
        if (graph != nullptr) {
            ET_TRY(addNodes(*graph));
        }
        if (index.operators == 0 && sources.program != nullptr) {
            ET_TRY(addInstructions(*sources.program));
        }
        if (sources.blocks != nullptr && index.operators > 0) {
            addTimes();
        }
        return finish();
    }

  private:
    Result<> count(std::size_t frames) {
        seen += frames;
        if (seen > maxFrames) {
            return core::fail(core::ErrorCode::Limit,
                              fmt::format("method \"{}\" has stacks of more than {} lines",
                                          core::printable(sources.method), maxFrames));
        }
        return {};
    }

    SourceLine& at(const PythonFrame& frame) {
        SourceLine& line = lines[frame.path][frame.line];
        if (line.operators == 0) {
            line.number = frame.line;
            line.code = frame.code;
            if (std::ranges::find(paths, frame.path) == paths.end()) {
                paths.push_back(frame.path);
            }
        }
        return line;
    }

    void countOperator(const std::vector<PythonFrame>& frames) {
        std::set<std::string_view> through;
        for (const PythonFrame& frame : frames) {
            if (through.insert(frame.path).second) {
                ++files[frame.path].operators;
            }
        }
        index.operators += frames.empty() ? 0 : 1;
    }

    /// The distinct source lines of a stack; recursion repeats lines.
    static std::vector<PythonFrame> distinct(std::vector<PythonFrame> frames) {
        std::set<SourcePosition> known;
        std::erase_if(
            frames, [&](const PythonFrame& frame) { return !known.insert({frame.path, frame.line}).second; });
        return frames;
    }

    Result<> addNodes(const etrecord::ExportedGraph& graph) {
        for (const etrecord::Node& node : graph.nodes) {
            const auto [stack, fresh] = stacks.try_emplace(node.stackTrace);
            if (fresh) {
                stack->second = distinct(parseFrames(node.stackTrace));
            }
            ET_TRY(count(stack->second.size()));
            for (const PythonFrame& frame : stack->second) {
                SourceLine& line = at(frame);
                ++line.operators;
                line.handles.insert(line.handles.end(), node.debugHandles.begin(), node.debugHandles.end());
            }
            countOperator(stack->second);
        }
        return {};
    }

    Result<> addInstructions(const program::Method& method) {
        const std::size_t instructions =
            method.chains.empty() ? 0 : method.chains.front().instructions.size();
        for (std::size_t i = 0; i < instructions; ++i) {
            const core::InstructionId id(static_cast<std::int32_t>(i));
            const auto frames = distinct(parseFrames(method, id));
            ET_TRY(count(frames.size()));
            for (const PythonFrame& frame : frames) {
                SourceLine& line = at(frame);
                ++line.operators;
                line.instructions.push_back(id);
            }
            countOperator(frames);
        }
        return {};
    }

    void addTime(std::span<const PythonFrame> frames, double time) {
        std::set<std::string_view> through;
        for (const PythonFrame& frame : frames) {
            std::optional<double>& ofLine = at(frame).time;
            ofLine = ofLine.value_or(0) + time;
            if (through.insert(frame.path).second) {
                std::optional<double>& ofFile = files[frame.path].time;
                ofFile = ofFile.value_or(0) + time;
            }
        }
    }

    /// Adds the time once to each line, even if several of the nodes come from it.
    void addTime(const NodeList& nodes, double time) {
        std::set<SourcePosition> places;
        std::vector<PythonFrame> frames;
        for (const etrecord::Node* node : nodes) {
            const auto stack = stacks.find(node->stackTrace);
            if (stack == stacks.end()) {
                continue;
            }
            for (const PythonFrame& frame : stack->second) {
                if (places.insert({frame.path, frame.line}).second) {
                    frames.push_back(frame);
                }
            }
        }
        addTime(frames, time);
    }

    /// The reconciled operators of a delegate call; null if there are none.
    const DelegateCallSite* reconciled(const Event& event) const {
        if (sources.delegates == nullptr) {
            return nullptr;
        }
        for (const DelegateReport& report : sources.delegates->delegates) {
            for (const DelegateCallSite& call : report.calls) {
                if (static_cast<std::int64_t>(call.chain) == event.chain &&
                    call.instruction == event.instruction && !call.operators.empty()) {
                    return &call;
                }
            }
        }
        return nullptr;
    }

    void addRow(const events::EventRow& row, double runs) {
        const Event& event = *row.event;
        if (names::detail::isFrameworkEvent(event.name) || event.samples.empty()) {
            return;
        }
        if (event.delegated || event.name == names::detail::delegateCall) {
            if (const auto* call = reconciled(event)) {
                if (calls.insert(call).second) {
                    for (const TimedOperator& each : call->operators) {
                        addTime(each.nodes, each.time);
                    }
                }
                return;
            }
            if (row.hasParts) {
                return;
            }
        }
        const double time = row.typicalSelf / runs;
        const NodeList nodes = events::nodesOf(*row.block, event);
        if (!nodes.empty()) {
            addTime(nodes, time);
        } else if (sources.program != nullptr && stacks.empty() && event.chain == 0) {
            addTime(distinct(parseFrames(*sources.program, event.instruction)), time);
        }
    }

    bool isOfMethod(const Block& block) const {
        return block.method.empty() ? sources.onlyMethod : block.method == sources.method;
    }

    void addTimes() {
        const events::EventRows rows = events::eventRows(*sources.blocks);
        double total = 0;
        std::vector<const events::EventRow*> measured;
        std::size_t runs = 0;
        for (std::size_t i = 0; i < rows.blocks.size(); ++i) {
            const events::BlockTime& time = rows.blocks[i];
            const auto of = std::span(rows.rows).subspan(time.firstRow, time.rowCount);
            const bool executed = std::ranges::any_of(of, [](const events::EventRow& row) {
                return row.event->instruction.value >= 0 && !names::detail::isFrameworkEvent(row.event->name);
            });
            if (!executed || !isOfMethod(sources.blocks->blocks()[i])) {
                continue;
            }
            runs += time.runs;
            double whole = time.typical;
            for (const events::EventRow& row : of) {
                whole = row.event->name == names::detail::methodExecute ? row.typical : whole;
                measured.push_back(&row);
            }
            total += whole;
        }
        for (const events::EventRow* row : measured) {
            addRow(*row, static_cast<double>(runs));
        }
        if (runs > 0) {
            index.total = total / static_cast<double>(runs);
        }
    }

    SourceIndex finish() {
        std::ranges::stable_partition(paths, [](std::string_view path) { return !isLibrary(path); });
        for (const std::string_view path : paths) {
            SourceFile& file = index.files.emplace_back(std::move(files[path]));
            file.path = path;
            for (auto& [number, line] : lines[path]) {
                std::ranges::sort(line.handles);
                const auto repeated = std::ranges::unique(line.handles);
                line.handles.erase(repeated.begin(), repeated.end());
                file.lines.push_back(std::move(line));
            }
        }
        return std::move(index);
    }

    const SourceIndexSources& sources;
    SourceIndex index;
    std::vector<std::string_view> paths;
    std::map<std::string_view, SourceFile> files;
    std::map<std::string_view, std::map<std::int64_t, SourceLine>> lines;
    std::unordered_map<std::string_view, std::vector<PythonFrame>> stacks;  ///< by trace
    std::set<const DelegateCallSite*> calls;  ///< calls whose operators' time was already added
    std::size_t seen = 0;
};

}  // namespace

const SourceLine* SourceFile::line(std::int64_t number) const {
    const auto found = std::ranges::lower_bound(lines, number, {}, &SourceLine::number);
    return found == lines.end() || found->number != number ? nullptr : &*found;
}

const SourceFile* SourceIndex::file(std::string_view path) const {
    const auto found = std::ranges::find(files, path, &SourceFile::path);
    return found == files.end() ? nullptr : &*found;
}

Result<SourceIndex> SourceIndex::build(const SourceIndexSources& sources) {
    return Indexer(sources).build();
}

}  // namespace et::inspector
