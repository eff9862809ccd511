#include "app/tasks/debug/timeline.h"

#include "app/tasks/debug/detail/timeline_impl.h"
#include "inspector/join/instruction_nodes.h"
#include "runtime/executor/instruction_name.h"

#include <fmt/format.h>

#include <utility>
#include <variant>

namespace et::tasks {

using core::ErrorCode;
using core::fail;
using core::Result;

Timeline::Timeline(std::unique_ptr<Impl> made) : impl(std::move(made)) {
}
Timeline::~Timeline() = default;

Result<std::unique_ptr<Timeline>> Timeline::make(std::unique_ptr<Model> model,
                                                 const TimelineOptions& options) {
    if (model->device != nullptr) {
        return fail(ErrorCode::Unsupported, "a program on a device cannot be recorded");
    }
    auto made = std::make_unique<Impl>(std::move(model), options);
    ET_ASSIGN(made->initial.state, made->model->module->saveState());
    made->initial.loadedMethods = 1;
    return std::unique_ptr<Timeline>(new Timeline(std::move(made)));
}

const Model& Timeline::model() const {
    return *impl->model;
}

Result<> Timeline::begin(std::string_view method, InputSet inputs) {
    ET_ASSIGN(const program::Method* chosen, chooseMethod(*impl->model->program, std::string(method)));
    if (inputs.values.size() != chosen->inputs.size()) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("{} takes {} inputs, got {}", core::printable(chosen->name),
                                chosen->inputs.size(), inputs.values.size()));
    }
    constexpr std::size_t maxExecutions = 100'000;
    if (executionCount() >= maxExecutions) {
        return fail(ErrorCode::Limit, fmt::format("there are already {} executions", maxExecutions));
    }
    std::vector<StoredValue> stored;
    for (const executor::InputValue& each : inputs.values) {
        stored.push_back(storedValue(each));
    }
    const TimelinePoint before = impl->at;
    impl->executions().push_back(
        {.method = std::string(chosen->name),
         .inputs = std::make_shared<const std::vector<StoredValue>>(std::move(stored)),
         .sources = std::move(inputs.sources)});
    auto done = impl->goTo(executionCount() - 1, 0);
    if (!done) {
        impl->executions().pop_back();
        if (impl->executions().empty()) {
            ET_TRY(reset());
        } else {
            impl->isValid = false;
            ET_TRY(jump(before));
        }
    }
    return done;
}

Result<> Timeline::reset() {
    impl->branches = std::vector<TimelineBranch>(1);
    impl->branch = 0;
    impl->counted.clear();
    impl->usage = {};
    ++impl->resets;
    impl->last.reset();
    impl->view.reset();
    impl->at = {};
    impl->isInside = false;
    return impl->restore(impl->initial);
}

std::size_t Timeline::executionCount() const {
    return impl->executions().size();
}

ExecutionInfo Timeline::execution(std::size_t index) const {
    const RecordedExecution& execution = impl->executions()[index];
    return {.method = execution.method,
            .inputSources = execution.sources,
            .steps = execution.steps,
            .failure = execution.failure,
            .edits = execution.edits.size()};
}

TimelinePoint Timeline::point() const {
    return impl->at;
}

TimelinePlace Timeline::place() const {
    TimelinePlace place{.point = impl->at, .method = nullptr, .op = {}, .delegate = {}, .handles = {}};
    if (!impl->isInside) {
        place.isEnd = true;
        return place;
    }
    const program::Method& method = impl->method()->description();
    place.method = &method;
    const auto position = impl->next();
    place.isEnd = !position;
    if (!position) {
        return place;
    }
    place.chain = position->chain;
    place.instruction = position->instruction;
    const program::Instruction& instruction = impl->instructionAt(*position);
    if (const auto* call = std::get_if<program::DelegateCall>(&instruction)) {
        place.delegate = call->delegate.value;
    }
    if (impl->at.node && impl->view) {
        const InnerDebugValue& node = impl->view->values[*impl->at.node];
        place.op = node.site.nodeKind;
        if (node.site.debugHandle) {
            place.handles.emplace_back(*node.site.debugHandle);
        }
        return place;
    }
    place.op = executor::instructionLabel(method, instruction);
    if (place.chain == 0) {
        place.handles = inspector::InstructionNodes(impl->options.record.get(), method.name)
                            .handlesOf(core::InstructionId(place.instruction));
    }
    return place;
}

Result<bool> Timeline::step() {
    if (impl->at.node) {
        if (*impl->at.node + 1 < impl->view->values.size()) {
            ++*impl->at.node;
            return true;
        }
        impl->at.node.reset();
    }
    if (!impl->next()) {
        return false;
    }
    ET_TRY(impl->advance());
    return true;
}

Result<bool> Timeline::stepBack() {
    TimelinePoint to = impl->at;
    if (to.node) {
        to.node = *to.node == 0 ? std::nullopt : std::optional(*to.node - 1);
        impl->at = to;
        return true;
    }
    if (!impl->isInside || (to.execution == 0 && to.step == 0)) {
        return false;
    }
    if (to.step > 0) {
        --to.step;
    } else {
        --to.execution;
        to.step = UINT64_MAX;
    }
    ET_TRY(jump(to));
    return true;
}

Result<bool> Timeline::stepInto() {
    if (impl->at.node) {
        return false;
    }
    ET_ASSIGN(const DelegateView* view, impl->viewDelegate());
    if (view == nullptr || view->values.empty()) {
        return false;
    }
    impl->at.node = 0;
    return true;
}

Result<> Timeline::jump(TimelinePoint to) {
    if (to.execution >= executionCount()) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("expected an execution below {}, got {}", executionCount(), to.execution));
    }
    ET_TRY(impl->goTo(to.execution, to.step));
    if (to.node) {
        ET_ASSIGN(const DelegateView* view, impl->viewDelegate());
        const std::size_t nodes = view == nullptr ? 0 : view->values.size();
        if (*to.node >= nodes) {
            return fail(ErrorCode::InvalidArgument,
                        fmt::format("expected a node below {}, got {}", nodes, *to.node));
        }
        impl->at.node = to.node;
    }
    return {};
}

Result<const DelegateView*> Timeline::delegate() {
    return impl->viewDelegate();
}

Result<> Timeline::trace(core::EventTracer& tracer) {
    if (!impl->isInside) {
        return fail(ErrorCode::InvalidArgument, "nothing has been executed");
    }
    const TimelinePoint before = impl->at;
    ET_TRY(impl->goTo(before.execution, 0));
    if (!impl->current().start) {
        impl->isValid = false;
        ET_TRY(impl->goTo(before.execution, 0));
    }
    if (!impl->current().start) {
        return fail(ErrorCode::Limit, "the budget of the recording is too small for one snapshot");
    }
    ET_TRY(impl->restore(*impl->current().start));
    impl->method()->setTracer(&tracer);
    auto done = impl->enter(before.execution);
    if (done) {
        done = impl->finishExecution();
    }
    impl->method()->setTracer(nullptr);
    ET_TRY(jump(before));
    return done;
}

TimelineUsage Timeline::usage() const {
    return impl->usage;
}

}  // namespace et::tasks
