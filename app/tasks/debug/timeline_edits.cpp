#include "app/tasks/debug/detail/timeline_impl.h"
#include "app/tasks/debug/timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

// Branches of a timeline.
namespace et::tasks {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

constexpr std::size_t maxBranches = 1000;

/// Errors: InvalidArgument.
Result<> checkPlace(const Timeline::Impl& timeline) {
    if (timeline.at.node) {
        return fail(ErrorCode::InvalidArgument, "values inside a delegate cannot be changed");
    }
    if (!timeline.isInside) {
        return fail(ErrorCode::InvalidArgument, "nothing has been executed");
    }
    return timeline.branches.size() < maxBranches
               ? Result<>()
               : fail(ErrorCode::Limit, fmt::format("expected at most {} branches", maxBranches));
}

}  // namespace

void Timeline::Impl::fork(std::string edit) {
    TimelineBranch copy{.info = {.parent = branch, .from = at, .edit = std::move(edit)},
                        .executions = executions()};
    RecordedExecution& edited = copy.executions[at.execution];
    edited.forgetFrom(at.step);
    std::erase_if(edited.edits, [&](const TimelineEdit& each) {
        return each.step > at.step || (each.step == at.step && each.kind == TimelineEdit::Kind::Replace);
    });
    for (std::size_t i = at.execution + 1; i < copy.executions.size(); ++i) {
        copy.executions[i].start.reset();
        copy.executions[i].forgetFrom(0);
    }
    branches.push_back(std::move(copy));
    branch = branches.size() - 1;
}

Result<> Timeline::Impl::unfork(const TimelinePoint& point) {
    branch = branches.back().info.parent;
    branches.pop_back();
    ++resets;  // another branch will have this index
    isValid = false;
    return goTo(point.execution, point.step);
}

Result<> Timeline::setValue(program::ValueId value, const executor::InputValue& content) {
    ET_TRY(checkPlace(*impl));
    const program::Method& method = impl->method()->description();
    if (value.value >= method.values.size()) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("expected a value below {}, got {}", method.values.size(), value.value));
    }
    const TimelinePoint here = impl->at;
    impl->fork(fmt::format("set %{}", value.value));
    TimelineEdit edit{.kind = TimelineEdit::Kind::Set, .step = here.step};
    edit.values.push_back({.value = value, .content = storedValue(content)});
    if (auto done = impl->assignAll(edit.values); !done) {
        ET_TRY(impl->unfork(here));
        return done;
    }
    impl->current().edits.push_back(std::move(edit));
    if (!impl->next()) {
        impl->current().steps = here.step;
    }
    return {};
}

Result<> Timeline::skip() {
    ET_TRY(checkPlace(*impl));
    if (!impl->next()) {
        return fail(ErrorCode::InvalidArgument, "no instruction follows");
    }
    impl->fork(fmt::format("skip {}", place().op));
    impl->current().edits.push_back({.kind = TimelineEdit::Kind::Replace, .step = impl->at.step});
    return impl->advance();
}

Result<> Timeline::force(std::span<const executor::InputValue> results) {
    ET_TRY(checkPlace(*impl));
    const auto position = impl->next();
    if (!position) {
        return fail(ErrorCode::InvalidArgument, "no instruction follows");
    }
    const auto& written =
        impl->access(impl->method()->description()).at(position->chain, position->instruction).writes;
    if (results.size() != written.size()) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("{} writes {} values, got {}", place().op, written.size(), results.size()));
    }
    const TimelinePoint here = impl->at;
    TimelineEdit edit{.kind = TimelineEdit::Kind::Replace, .step = here.step};
    for (std::size_t i = 0; i < written.size(); ++i) {
        edit.values.push_back({.value = written[i], .content = storedValue(results[i])});
    }
    impl->fork(fmt::format("force {}", place().op));
    impl->current().edits.push_back(std::move(edit));
    if (auto done = impl->advance(); !done) {
        ET_TRY(impl->unfork(here));
        return done;
    }
    return {};
}

std::size_t Timeline::branch() const {
    return impl->branch;
}

std::vector<BranchInfo> Timeline::branches() const {
    std::vector<BranchInfo> all;
    all.reserve(impl->branches.size());
    for (const TimelineBranch& each : impl->branches) {
        all.push_back(each.info);
    }
    return all;
}

Result<> Timeline::switchTo(std::size_t branch) {
    if (branch >= impl->branches.size()) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("expected a branch below {}, got {}", impl->branches.size(), branch));
    }
    TimelinePoint to{.execution = impl->at.execution, .step = impl->at.step};
    impl->branch = branch;
    impl->isValid = false;
    if (executionCount() == 0) {
        impl->isInside = false;
        impl->at = {};
        return impl->restore(impl->initial);
    }
    to.execution = std::min(to.execution, executionCount() - 1);
    return jump(to);
}

}  // namespace et::tasks
