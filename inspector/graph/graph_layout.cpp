#include "inspector/graph/graph_layout.h"

#include "runtime/core/child_process.h"
#include "runtime/core/own_programs.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cmath>
#include <iterator>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace et::inspector {

using core::ErrorCode;
using core::fail;
using core::Result;

namespace {

using core::ReadEnd;

constexpr double pointsPerInch = 72;

/// Maximum lines that dot draws as curves; routing more around boxes takes longer than everything else.
constexpr std::size_t maxCurves = 3000;
/// Iterations of dot's edge-length optimization; without a limit it runs for minutes on broad graphs.
constexpr int searchRounds = 2;

/// The nodes of an edge in the order in which they are placed: a graph without cycles.
std::pair<std::size_t, std::size_t> placed(const LayoutRequest::Edge& edge) {
    return edge.backward ? std::pair(edge.to, edge.from) : std::pair(edge.from, edge.to);
}

class RequestText {
  public:
    explicit RequestText(const LayoutRequest& of)
        : request(of), members(of.groups.size()), inner(of.groups.size()) {}

    std::string write() {
        append("digraph g {{\n");
        append("graph [rankdir={} splines={} nslimit={} nslimit1={} ranksep=0.35 nodesep=0.2 label=\"\"];\n",
               request.leftToRight ? "LR" : "TB", request.edges.size() > maxCurves ? "line" : "true",
               searchRounds, searchRounds);
        append("node [shape=box fixedsize=true label=\"\"];\nedge [arrowhead=none];\n");
        for (std::size_t i = 0; i < request.nodes.size(); ++i) {
            const LayoutRequest::Node& node = request.nodes[i];
            (node.group ? members[*node.group] : loose).push_back(i);
        }
        for (std::size_t i = 0; i < request.groups.size(); ++i) {
            const auto& parent = request.groups[i].parent;
            (parent ? inner[*parent] : outermost).push_back(i);
        }
        writeNodes(loose);
        for (const std::size_t group : outermost) {
            writeGroup(group);
        }
        for (const LayoutRequest::Edge& edge : request.edges) {
            const auto [first, last] = placed(edge);
            append("n{}->n{};\n", first, last);
        }
        append("}}\n");
        return std::move(out);
    }

  private:
    template <class... Arguments>
    void append(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
        fmt::format_to(std::back_inserter(out), text, std::forward<Arguments>(arguments)...);
    }

    void writeNodes(const std::vector<std::size_t>& nodes) {
        for (const std::size_t i : nodes) {
            append("n{} [width={:.4f} height={:.4f}];\n", i, request.nodes[i].width / pointsPerInch,
                   request.nodes[i].height / pointsPerInch);
        }
    }

    /// An empty table reserves space for the title, so that dot needs no fonts.
    void writeGroup(std::size_t index) {
        const LayoutRequest::Group& group = request.groups[index];
        append(
            "subgraph cluster_{} {{ label=<<TABLE BORDER=\"0\" FIXEDSIZE=\"TRUE\" WIDTH=\"{:.0f}\" "
            "HEIGHT=\"{:.0f}\"><TR><TD></TD></TR></TABLE>>;\n",
            index, std::ceil(group.titleWidth), std::ceil(group.titleHeight));
        writeNodes(members[index]);
        for (const std::size_t each : inner[index]) {
            writeGroup(each);
        }
        append("}}\n");
    }

    const LayoutRequest& request;
    std::vector<std::vector<std::size_t>> members;
    std::vector<std::vector<std::size_t>> inner;
    std::vector<std::size_t> loose;
    std::vector<std::size_t> outermost;
    std::string out;
};

/// Splits a line into words and numbers.
class Words {
  public:
    explicit Words(std::string_view of) : rest(of) {}

    std::string_view word() {
        rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
        const std::string_view found = rest.substr(0, rest.find(' '));
        rest.remove_prefix(found.size());
        return found;
    }
    std::optional<double> number() {
        const std::string_view text = word();
        double value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        const bool good = error == std::errc() && end == text.data() + text.size() && std::isfinite(value);
        return good ? std::optional(value) : std::nullopt;
    }
    /// The number in "n12" or "cluster_12", if it is below `count`.
    std::optional<std::size_t> index(std::string_view prefix, std::size_t count) {
        const std::string_view text = word();
        std::size_t value = 0;
        if (!text.starts_with(prefix)) {
            return std::nullopt;
        }
        const auto [end, error] =
            std::from_chars(text.data() + prefix.size(), text.data() + text.size(), value);
        return error == std::errc() && value < count ? std::optional(value) : std::nullopt;
    }

  private:
    std::string_view rest;
};

class AnswerReader {
  public:
    explicit AnswerReader(const LayoutRequest& of) : request(of) {
        layout.nodes.resize(of.nodes.size());
        layout.groups.resize(of.groups.size());
        layout.edges.resize(of.edges.size());
        for (std::size_t i = 0; i < of.edges.size(); ++i) {
            edges.emplace(placed(of.edges[i]), i);
        }
    }

    Result<GraphLayout> read(std::string_view answer) {
        bool ended = false;
        while (!answer.empty() && !ended) {
            const std::string_view line = answer.substr(0, answer.find('\n'));
            answer.remove_prefix(std::min(line.size() + 1, answer.size()));
            ended = line == "end";
            if (!ended && !readLine(line)) {
                return core::fail(
                    core::ErrorCode::Format,
                    fmt::format("unexpected output of et-layout: \"{}\"", core::printable(line)));
            }
        }
        if (!ended) {
            return core::fail(core::ErrorCode::Format, "the output of et-layout is truncated");
        }
        return std::move(layout);
    }

  private:
    bool readLine(std::string_view line) {
        Words words(line);
        const std::string_view what = words.word();
        if (what == "graph") {
            const auto width = words.number();
            const auto height = words.number();
            layout.width = width.value_or(0);
            layout.height = height.value_or(0);
            return width && height;
        }
        if (what == "node") {
            return readBox(words, words.index("n", layout.nodes.size()), layout.nodes);
        }
        if (what == "cluster") {
            return readBox(words, words.index("cluster_", layout.groups.size()), layout.groups);
        }
        return what == "edge" && readEdge(words);
    }

    static bool readBox(Words& words, std::optional<std::size_t> index, std::vector<LayoutBox>& boxes) {
        const auto x = words.number();
        const auto y = words.number();
        const auto width = words.number();
        const auto height = words.number();
        if (!index || !x || !y || !width || !height) {
            return false;
        }
        boxes[*index] = {.x = *x, .y = *y, .width = *width, .height = *height};
        return true;
    }

    bool readEdge(Words& words) {
        const auto from = words.index("n", layout.nodes.size());
        const auto to = words.index("n", layout.nodes.size());
        const auto known = from && to ? edges.find(std::pair(*from, *to)) : edges.end();
        if (known == edges.end()) {
            return false;
        }
        const std::size_t index = known->second;
        edges.erase(known);  // another one may connect the same nodes
        std::vector<LayoutPoint>& points = layout.edges[index];
        for (auto x = words.number(); x; x = words.number()) {
            const auto y = words.number();
            if (!y) {
                return false;
            }
            points.push_back({.x = *x, .y = *y});
        }
        if (request.edges[index].backward) {
            std::ranges::reverse(points);
        }
        return points.size() % 3 == 1;
    }

    const LayoutRequest& request;
    GraphLayout layout;
    std::multimap<std::pair<std::size_t, std::size_t>, std::size_t> edges;
};

/// A request in the DOT language: nodes n0, n1, …, clusters cluster_0, …
std::string requestText(const LayoutRequest& request) {
    return RequestText(request).write();
}

/// Parses the output of et-layout. Errors: Format (another version).
Result<GraphLayout> readAnswer(std::string_view answer, const LayoutRequest& request) {
    return AnswerReader(request).read(answer);
}

/// Far above the size of any layout.
constexpr std::size_t maxAnswer = std::size_t{256} << 20;
/// Maximum delay of noticing a cancellation.
constexpr std::chrono::milliseconds cancelInterval{20};

Result<std::filesystem::path> findHelper() {
    std::filesystem::path found = core::findOwnProgram(core::OwnProgram::Layout);
    if (found.empty()) {
        return fail(ErrorCode::NotFound,
                    "et-layout, which lays out graphs, is missing from this installation");
    }
    return found;
}

/// An anonymous file that contains `text`, positioned at its start.
Result<core::Descriptor> nameless(std::string_view text) {
    core::Descriptor file(::memfd_create("et-layout", MFD_CLOEXEC));
    const int failed = file ? core::writeAll(file.get(), std::as_bytes(std::span(text))) : errno;
    if (!file || failed != 0 || ::lseek(file.get(), 0, SEEK_SET) != 0) {
        return std::unexpected(
            core::systemError("et-layout's input cannot be written", failed != 0 ? failed : errno));
    }
    return file;
}

Result<> layoutResult(ReadEnd how, const LayoutOptions& options) {
    switch (how) {
        case ReadEnd::Cancelled:
            return fail(ErrorCode::Cancelled, "the layout was cancelled");
        case ReadEnd::Deadline:
            return fail(ErrorCode::Limit, fmt::format("the layout takes longer than {} seconds: show a "
                                                      "smaller part of the graph, or fold its groups",
                                                      options.timeoutSeconds));
        case ReadEnd::TooLong:
            return fail(ErrorCode::Limit, "the picture is too large: fold groups of the graph");
        case ReadEnd::Closed:
            break;
    }
    return {};
}

/// Output of et-layout for `input`.
Result<std::string> answerTo(const core::Descriptor& input, const std::string& program,
                             const LayoutOptions& options) {
    const core::ReadLimits limits{
        .deadline = core::deadlineIn(std::chrono::duration<double>(options.timeoutSeconds)),
        .cancelled = [&] { return options.cancel != nullptr && options.cancel->load(); },
        .interval = cancelInterval};
    ET_ASSIGN(core::Pipe output, core::Pipe::make());
    ET_ASSIGN(
        core::ChildProcess helper,
        core::ChildProcess::spawn({.program = program,
                                   .argv = {"et-layout"},
                                   .redirections = {{.number = STDIN_FILENO, .from = input.get()},
                                                    {.number = STDOUT_FILENO, .from = output.write.get()},
                                                    {.number = STDERR_FILENO}}}));
    output.write.close();
    std::string answer;
    core::PipeReader intake{.from = output.read, .into = answer, .maxBytes = maxAnswer};
    ET_TRY(layoutResult(core::readAll(std::span(&intake, 1), limits), options));
    ET_TRY(layoutResult(core::waitWithin(helper, limits), options));
    if (helper.end() != core::ProcessEnd{}) {
        const core::ProcessEnd end = helper.end();
        // Large graphs exceed Graphviz's limits; it may then be killed by a signal.
        return fail(
            end.signal != 0 ? ErrorCode::Limit : ErrorCode::Io,
            fmt::format("et-layout, which lays out graphs, failed: {}{}", core::endText(end),
                        end.signal != 0 ? "; for a large graph, show a smaller part or fold its groups" : ""),
            {.file = program, .field = {}, .offset = {}});
    }
    return answer;
}

}  // namespace

Result<GraphLayout> layOut(const LayoutRequest& request, const LayoutOptions& options) {
    std::filesystem::path program = options.helper;
    if (program.empty()) {
        ET_ASSIGN(program, findHelper());
    }
    ET_ASSIGN(const core::Descriptor input, nameless(requestText(request)));
    ET_ASSIGN(const std::string answer, answerTo(input, program.string(), options));
    auto layout = readAnswer(answer, request);
    if (!layout) {
        return std::unexpected(std::move(layout).error().in(program.string()));
    }
    return layout;
}

}  // namespace et::inspector
