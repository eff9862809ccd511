#include "app/tasks/probe/probe_writer.h"

#include "app/tasks/base/interruption.h"
#include "app/tasks/probe/probe_axis.h"
#include "app/tasks/probe/probe_file.h"
#include "runtime/core/scalar_type.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

namespace et::tasks {
namespace {

using backends::reference::ReferenceTensor;
using core::Result;

/// Maximum elements of a probe, unless that of the model's sizes has more.
constexpr std::int64_t maxElements = std::int64_t{8} << 20U;
constexpr std::size_t maxWord = 40;

/// "convolution" of "aten.convolution.default", with characters of file names only.
std::string fileWord(std::string_view name) {
    const std::size_t first = name.find('.');
    const std::size_t last = name.rfind('.');
    if (first != last) {
        name = name.substr(first + 1, last - first - 1);
    }
    std::string word;
    for (const char c : name.substr(0, maxWord)) {
        const bool isPlain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        word += isPlain ? c : '_';
    }
    return word;
}

std::string probeName(const ProbeSet& set, const PlannedProbe& planned) {
    std::string name =
        fmt::format("{:03}_{}", set.probes.size(), fileWord(set.subjects[planned.subject].name));
    if (planned.axis) {
        name += fmt::format("_{}", planned.size);
    } else if (planned.fill == ProbeFill::Nan) {
        name += "_nan";
    }
    return name;
}

/// Shapes and dtypes of the inputs and constants.
void describeTensors(const ProbeGraph& probe, ProbedSubject& subject) {
    std::vector<std::string> shapes;
    std::set<std::string> dtypes;
    for (const bool isInput : {true, false}) {
        for (const etrecord::InputSpec& spec : probe.graph.inputSpecs) {
            const ReferenceTensor* const tensor = inspector::tensorIn(probe.given, spec.value);
            if (tensor != nullptr && inspector::isUserInput(spec) == isInput) {
                const std::vector<std::int64_t> sizes(tensor->view.sizes().begin(),
                                                      tensor->view.sizes().end());
                shapes.push_back(fmt::format("[{}]", fmt::join(sizes, ", ")));
                dtypes.insert(core::scalarTypeName(tensor->view.dtype()));
            }
        }
    }
    subject.shapes = subject.isWhole ? fmt::format("{} operators", probe.graph.nodes.size())
                                     : fmt::format("{}", fmt::join(shapes, ", "));
    subject.dtypes = fmt::format("{}", fmt::join(dtypes, ", "));
}

/// Whether it is dimension 1 of an input, or also one of weights.
bool isChannel(const ProbeAxis& axis, const std::vector<std::string>& inputs) {
    return axis.size > 1 && std::ranges::any_of(axis.dimensions, [&](const ProbeDimension& place) {
               return place.dimension == 1 || !std::ranges::contains(inputs, place.value);
           });
}

}  // namespace

Result<> ProbeWriter::make(const ModelOptions& options) {
    if (isMade) {
        return {};
    }
    ProbeChoice choice{.model = set.model, .record = set.record};
    choice.options = options;
    choice.options.method = set.method;
    choice.options.inputs = set.inputs;
    choice.options.seed = set.seed;
    choice.options.plugins.clear();  // the reference must not use the operators of a device
    choice.options.on = {};
    choice.only = set.only;
    choice.delegate = set.delegate;
    ET_ASSIGN(made, probeSubjects(choice));
    for (const ProbeSubject& subject : made.subjects) {
        axes.push_back(subject.isWhole ? std::vector<ProbeAxis>() : axesOf(subject.graph));
        ET_TRY(InterruptionGuard::check());
    }
    isMade = true;
    return {};
}

Result<> ProbeWriter::describe(const ModelOptions& options) {
    ET_TRY(make(options));
    set.device = made.device;
    for (std::size_t i = 0; i < made.subjects.size(); ++i) {
        const ProbeSubject& subject = made.subjects[i];
        ProbedSubject& described = set.subjects.emplace_back();
        described.name = subject.name;
        described.kind = subject.kind;
        described.nodes = subject.nodes;
        described.isWhole = subject.isWhole;
        describeTensors(subject.graph, described);
        for (const ProbeAxis& axis : axes[i]) {
            described.axes.push_back({.name = axis.name,
                                      .size = axis.size,
                                      .isChannel = isChannel(axis, inputNames(subject.graph)),
                                      .unavailable = {}});
        }
    }
    return {};
}

Result<ProbeGraph> ProbeWriter::graphOf(const PlannedProbe& planned) const {
    const ProbeGraph& graph = made.subjects[planned.subject].graph;
    if (planned.axis) {
        return resizedProbe(graph, axes[planned.subject][*planned.axis], planned.size,
                            std::max(maxElements, elementsOf(graph)));
    }
    if (planned.fill == ProbeFill::Model) {
        return graph;
    }
    ET_ASSIGN(auto changed, probeWithNan(graph));
    if (!changed) {
        return core::fail(core::ErrorCode::Unsupported, "it has no floating-point inputs");
    }
    return *std::move(changed);
}

Result<bool> ProbeWriter::write(const PlannedProbe& planned, std::size_t round) {
    const std::string name = probeName(set, planned);
    auto graph = graphOf(planned);
    ET_TRY(InterruptionGuard::check());
    auto isDelegated =
        graph ? writeProbe(*graph, set.backend, folder / (name + ".bpte")) : std::unexpected(graph.error());
    if (!isDelegated && isDelegated.error().code == core::ErrorCode::Io) {
        return std::unexpected(std::move(isDelegated).error());
    }
    if (!isDelegated) {
        if (planned.axis) {
            set.subjects[planned.subject].axes[*planned.axis].unavailable.insert(planned.size);
        }
        return false;
    }
    set.probes.push_back({.name = name,
                          .round = round,
                          .subject = planned.subject,
                          .axis = planned.axis,
                          .size = planned.size,
                          .fill = planned.fill,
                          .isDelegated = *isDelegated});
    return true;
}

Result<std::size_t> ProbeWriter::writeRound(std::size_t perEdge, const ModelOptions& options) {
    const std::size_t round = set.rounds() + 1;
    std::size_t written = 0;
    bool isRefused = true;
    while (written == 0 && isRefused) {
        const std::vector<PlannedProbe> plan = planRound(set, perEdge);
        if (!plan.empty()) {
            ET_TRY(make(options));
        }
        isRefused = false;
        for (const PlannedProbe& planned : plan) {
            ET_ASSIGN(const bool isWritten, write(planned, round));
            written += isWritten ? 1 : 0;
            isRefused = isRefused || (!isWritten && planned.axis);
        }
    }
    return written;
}

}  // namespace et::tasks
