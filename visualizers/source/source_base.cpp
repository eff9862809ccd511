#include "visualizers/source/source_base.h"

#include "backends/builtin.h"
#include "inspector/format/time_scale.h"
#include "inspector/join/instruction_nodes.h"
#include "visualizers/toolkit/text.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

namespace et::visualizers {

namespace {

using inspector::Session;
using inspector::SourceIndex;
using Nodes = std::vector<const etrecord::Node*>;

bool carriesStacks(const program::Method& method) {
    return std::ranges::any_of(method.chains,
                               [](const program::Chain& chain) { return !chain.stackTraces.empty(); });
}

/// Methods of the record, followed by those that only the program has.
std::vector<std::string_view> methodNames(const Session& session) {
    std::vector<std::string_view> names;
    if (session.record) {
        names.assign(session.record->methods().begin(), session.record->methods().end());
    }
    if (session.program) {
        for (const program::Method& method : session.program->methods) {
            if (!std::ranges::contains(names, method.name)) {
                names.push_back(method.name);
            }
        }
    }
    return names;
}

/// Operators inside delegates; nothing if there is nothing to explain or that fails, since lines can be shown
/// without them.
std::optional<inspector::DelegationReport> delegationOf(const Session& session) {
    if (!session.program || !session.record || !session.blocks) {
        return std::nullopt;
    }
    auto report = inspector::delegatesOf({.program = *session.program,
                                          .backends = backends::builtin(),
                                          .record = session.record.get(),
                                          .blocks = session.blocks.get()});
    return report ? std::optional(std::move(*report)) : std::nullopt;
}

const inspector::MethodDelegates* delegatesOfMethod(const std::optional<inspector::DelegationReport>& report,
                                                    std::string_view name) {
    if (!report) {
        return nullptr;
    }
    const auto found = std::ranges::find_if(
        report->methods, [&](const inspector::MethodDelegates& each) { return each.method->name == name; });
    return found == report->methods.end() ? nullptr : &*found;
}

/// Nodes of a method for the selected debug handles, or else for the selected instruction.
Nodes nodesOf(const SourceBase& base, const SourceIndex& index, const Selection& selection) {
    const inspector::InstructionNodes known(base.session->recordOfProgram(), index.method);
    const auto handles = selection.currentHandles();
    if (!handles.empty()) {
        return known.nodesOf(std::vector<core::DebugHandle>(handles.begin(), handles.end()));
    }
    const auto& of = selection.currentOperator();
    return of ? known.nodesOf(of->instruction) : Nodes();
}

}  // namespace

bool SourceBase::has(const Session& session) {
    return (session.record && !session.record->methods().empty()) ||
           (session.program && std::ranges::any_of(session.program->methods, carriesStacks));
}

std::shared_ptr<const SourceBase> SourceBase::build(const std::shared_ptr<const Session>& session) {
    if (!session || !has(*session)) {
        return nullptr;
    }
    auto out = std::make_shared<SourceBase>(SourceBase{.session = session});
    const auto delegation = delegationOf(*session);
    const std::vector<std::string_view> names = methodNames(*session);
    for (const std::string_view name : names) {
        auto index =
            SourceIndex::build({.method = name,
                                .program = session->program ? session->program->findMethod(name) : nullptr,
                                .record = session->record.get(),
                                .blocks = session->blocks.get(),
                                .delegates = delegatesOfMethod(delegation, name),
                                .onlyMethod = names.size() == 1});
        if (!index) {
            out->problems.push_back(index.error().toString());
        } else if (!index->files.empty()) {
            out->methods.push_back(std::move(*index));
        }
    }
    if (session->blocks) {
        out->timeScale = session->blocks->options().target;
    }
    return out;
}

SelectedStacks stacksOf(const SourceBase& base, const Selection& selection) {
    const auto& of = selection.currentOperator();
    // Debug handles selected without an event do not identify a method.
    for (const bool named : {true, false}) {
        for (std::size_t i = 0; i < base.methods.size(); ++i) {
            const SourceIndex& index = base.methods[i];
            const bool same = of && !of->method.empty() && of->method == index.method;
            if (named != same && (named || (of && !of->method.empty()))) {
                continue;
            }
            SelectedStacks out{.method = i, .stacks = inspector::stacksOf(nodesOf(base, index, selection))};
            if (out.stacks.empty() && of && base.session->program) {
                const auto* const method = base.session->program->findMethod(index.method);
                auto frames = method == nullptr ? std::vector<inspector::PythonFrame>()
                                                : inspector::parseFrames(*method, of->instruction);
                if (!frames.empty()) {
                    out.stacks.push_back({.frames = std::move(frames)});
                }
            }
            if (!out.stacks.empty()) {
                return out;
            }
        }
    }
    return {};
}

}  // namespace et::visualizers
