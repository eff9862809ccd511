#include "app/tasks/debug/detail/delegate_nodes.h"
#include "app/tasks/debug/detail/stray_writes.h"
#include "app/tasks/debug/detail/timeline_impl.h"
#include "inspector/format/checksum.h"
#include "runtime/kernels/builtin.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <iterator>
#include <optional>
#include <type_traits>
#include <utility>

// Running a timeline forwards.
namespace et::tasks {
namespace {

using core::ErrorCode;
using core::Result;

/// True if an instruction belongs to a plugin, which may compute other values when it runs again.
bool isOfPlugin(const Model& model, const program::Method& method, const program::Instruction& instruction) {
    if (model.plugins.empty()) {
        return false;
    }
    if (const auto* kernel = std::get_if<program::KernelCall>(&instruction)) {
        const std::string name = method.op(kernel->op).fullName();
        return model.kernels.find(name) != kernels::builtin().find(name);
    }
    if (const auto* call = std::get_if<program::DelegateCall>(&instruction)) {
        const std::string_view name = method.delegate(call->delegate).backend;
        const auto isIts = [&](const executor::Plugin& plugin) {
            return executor::findBackend(plugin.backends(), name) != nullptr;
        };
        return std::ranges::any_of(model.plugins, isIts);
    }
    return false;
}

/// Processor time of this thread in nanoseconds: on a busy machine, executions do not need more snapshots.
std::uint64_t runTime() {
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(time.tv_nsec);
}

std::string hashOutputs(executor::Method& method) {
    inspector::format::Sha256 hash;
    for (std::size_t i = 0; i < method.outputCount(); ++i) {
        const StoredValue value = storedValue(method.output(i));
        if (const auto* tensor = std::get_if<inspector::HostTensor>(&value)) {
            hash.add(tensor->data);
        } else {
            hash.add(fmt::format("{}", std::visit(
                                           []<class T>(const T& number) {
                                               if constexpr (std::is_arithmetic_v<T>) {
                                                   return static_cast<double>(number);
                                               } else {
                                                   return 0.0;
                                               }
                                           },
                                           value)));
        }
    }
    return hash.hex();
}

}  // namespace

void RecordedExecution::forgetFrom(std::uint64_t step) {
    recorded.erase(recorded.lower_bound(step), recorded.end());
    inner.erase(inner.lower_bound(step), inner.end());
    steps.reset();
    outputs.clear();
    expectedOutputs.clear();
    failure.reset();
}

const program::Instruction& Timeline::Impl::instructionAt(const executor::Position& position) const {
    return method()
        ->description()
        .chains[static_cast<std::size_t>(position.chain)]
        .instructions[static_cast<std::size_t>(position.instruction)];
}

Result<> Timeline::Impl::loadMethod(const std::string& name) {
    if (!loaded.contains(name)) {
        ET_ASSIGN(const auto now, model->module->saveState(last.get()));
        ET_TRY(model->module->restoreState(*initial.state));
        auto added = model->module->load(name);
        if (added) {
            loaded.insert(name);
            ET_ASSIGN(initial.state, model->module->saveState());
            initial.loadedMethods = loaded.size();
        }
        ET_TRY(model->module->restoreState(*now));
        if (!added) {
            return std::unexpected(errorOfProgram(std::move(added).error(), *model->program));
        }
    }
    ET_ASSIGN(model->method, model->module->load(name));
    return {};
}

Result<> Timeline::Impl::enter(std::size_t execution) {
    isInside = false;
    at = {.execution = execution};
    RecordedExecution& entered = current();
    ET_TRY(loadMethod(entered.method));
    if (!entered.start) {
        ET_ASSIGN(entered.start, takeSnapshot());
        keepBudget(*this);
    }
    isValid = false;
    for (std::size_t i = 0; i < entered.inputs->size(); ++i) {
        ET_TRY(method()->setInput(i, inputOf((*entered.inputs)[i])));
    }
    ET_TRY(method()->begin());
    isValid = true;
    isInside = true;
    previous.reset();
    startTime = runTime();
    ET_TRY(applySets());
    if (!next()) {  // a method without instructions
        entered.steps = 0;
        ET_TRY(method()->step());
    }
    return {};
}

Result<> Timeline::Impl::assignAll(std::span<const ValueAssignment> values) {
    for (const ValueAssignment& each : values) {
        ET_TRY(assign(each.content, method()->value(each.value), model->threads));
    }
    return {};
}

Result<> Timeline::Impl::applySets() {
    for (const TimelineEdit& edit : current().edits) {
        if (edit.step == at.step && edit.kind == TimelineEdit::Kind::Set) {
            ET_TRY(assignAll(edit.values));
        }
    }
    return {};
}

Result<> Timeline::Impl::runInstruction(const executor::Position& position) {
    RecordedExecution& execution = current();
    const program::Method& description = method()->description();
    const bool isRecorded = isOfPlugin(*model, description, instructionAt(position));
    const std::optional<StrayWrites> stray =
        isRecorded ? std::optional<StrayWrites>(*method()) : std::nullopt;
    auto done = method()->step();
    if (!done) {
        if (done.error().code != ErrorCode::Cancelled) {
            execution.failure = done.error();
        }
        return std::unexpected(std::move(done).error());
    }
    if (stray) {
        std::vector<program::ValueId> written =
            access(description).at(position.chain, position.instruction).writes;
        std::ranges::copy(stray->find(written), std::back_inserter(written));
        auto& results = execution.recorded[at.step];
        for (const program::ValueId id : written) {
            results.push_back({.value = id, .content = storedValue(method()->value(id))});
        }
    }
    return {};
}

Result<> Timeline::Impl::advance() {
    RecordedExecution& execution = current();
    const executor::Position position = *next();
    const auto edit = std::ranges::find_if(execution.edits, [&](const TimelineEdit& each) {
        return each.step == at.step && each.kind == TimelineEdit::Kind::Replace;
    });
    const auto recorded = execution.recorded.find(at.step);
    if (edit != execution.edits.end() || recorded != execution.recorded.end()) {
        ET_TRY(assignAll(edit != execution.edits.end() ? edit->values : recorded->second));
        ET_TRY(method()->skip());
    } else {
        ET_TRY(runInstruction(position));
    }
    previous = position;
    ++at.step;
    ET_TRY(applySets());
    const std::uint64_t now = runTime();
    if (!next()) {
        execution.steps = at.step;
        execution.outputs = hashOutputs(*method());
        execution.nanoseconds = startTime == 0 ? execution.nanoseconds : now - startTime;
        return {};
    }
    const auto wait = std::max(static_cast<std::uint64_t>(options.replaySeconds * 1e9), 4 * snapshotCost);
    if (now - snapshotTime >= wait && !execution.inner.contains(at.step)) {
        ET_ASSIGN(execution.inner[at.step], takeSnapshot());
        keepBudget(*this);
    }
    return {};
}

Result<> Timeline::Impl::finishExecution() {
    while (next()) {
        if (auto done = advance(); !done) {
            return done.error().code == ErrorCode::Cancelled ? done : Result<>();
        }
    }
    return {};
}

Result<TimelineSnapshot> Timeline::Impl::takeSnapshot() {
    const std::uint64_t start = runTime();
    ET_ASSIGN(last, model->module->saveState(last.get()));
    usage.snapshotBytes += last->countBytes(counted);
    ++usage.snapshots;
    snapshotTime = runTime();
    snapshotCost = snapshotTime - start;
    return TimelineSnapshot{.state = last, .loadedMethods = loaded.size()};
}

Result<> Timeline::Impl::restore(const TimelineSnapshot& snapshot) {
    isValid = false;
    if (snapshot.loadedMethods < loaded.size()) {
        ET_TRY(model->module->restoreState(*initial.state));
    }
    ET_TRY(model->module->restoreState(*snapshot.state));
    isValid = true;
    previous.reset();
    startTime = 0;
    snapshotTime = runTime();
    return {};
}

Result<> Timeline::Impl::restoreBefore(std::size_t execution, std::uint64_t step) {
    for (std::size_t i = execution + 1; i-- > 0;) {
        RecordedExecution& from = executions()[i];
        // Strictly before, so that the instruction before the point runs and is known.
        auto found = i == execution ? from.inner.lower_bound(step) : from.inner.end();
        if (found != from.inner.begin()) {
            --found;
            ET_TRY(restore(found->second));
            at = {.execution = i, .step = found->first};
            isInside = true;
            return loadMethod(from.method);
        }
        if (from.start) {
            ET_TRY(restore(*from.start));
            at = {.execution = i};
            isInside = false;
            return {};
        }
    }
    ET_TRY(restore(initial));
    at = {};
    isInside = false;
    return {};
}

Result<> Timeline::Impl::goTo(std::size_t execution, std::uint64_t step) {
    const bool isAhead = isValid && (at.execution < execution ||
                                     (at.execution == execution && (!isInside || at.step <= step)));
    const RecordedExecution& target = executions()[execution];
    const auto nearer = target.inner.lower_bound(step);
    const bool hasNearer = nearer != target.inner.begin() &&
                           (at.execution < execution || !isInside || at.step < std::prev(nearer)->first);
    if (!isAhead || hasNearer || (at.execution < execution && target.start)) {
        ET_TRY(restoreBefore(execution, step));
    }
    at.node.reset();
    while (!isInside || at.execution < execution) {
        if (isInside) {
            ET_TRY(finishExecution());
        }
        ET_TRY(enter(isInside ? at.execution + 1 : at.execution));
    }
    while (at.step < step && next()) {
        ET_TRY(advance());
    }
    return {};
}

Result<const DelegateView*> Timeline::Impl::viewDelegate() {
    const auto position = next();
    if (!position) {
        return nullptr;
    }
    if (!std::holds_alternative<program::DelegateCall>(instructionAt(*position))) {
        return nullptr;
    }
    const TimelinePoint here{.execution = at.execution, .step = at.step};
    if (view && viewAt == here && viewBranch == branch) {
        return &*view;
    }
    ET_ASSIGN(const auto before, model->module->saveState(last.get()));
    DelegateNodeTracer tracer;
    method()->setTracer(&tracer);
    auto done = method()->step();
    method()->setTracer(nullptr);
    ET_TRY(model->module->restoreState(*before));
    if (!done) {
        return std::unexpected(std::move(done).error());
    }
    view = std::move(tracer.view);
    viewAt = here;
    viewBranch = branch;
    return &*view;
}

const MethodAccess& Timeline::Impl::access(const program::Method& of) {
    return accesses.try_emplace(&of, of).first->second;
}

}  // namespace et::tasks
