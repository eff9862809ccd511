#pragma once

#include "inspector/names/python_stack.h"
#include "inspector/session/session.h"
#include "inspector/source/source_index.h"
#include "visualizers/selection.h"

#include <memory>
#include <string>
#include <vector>

namespace et::visualizers {

/// What the views of source show: the Python lines of all methods. Immutable; keeps alive what it borrows.
struct SourceBase {
    std::shared_ptr<const inspector::Session> session;
    std::vector<inspector::SourceIndex> methods{};  ///< those that have any lines
    std::vector<std::string> problems{};
    std::optional<inspector::TimeScale> timeScale{};  ///< of the times; nothing without a trace

    /// Whether a session has stacks at all: a record, or a program that carries them.
    [[nodiscard]] static bool has(const inspector::Session& session);
    /// Takes a moment.
    [[nodiscard]] static std::shared_ptr<const SourceBase> build(
        const std::shared_ptr<const inspector::Session>& session);
};

/// What is chosen, as stacks of one method.
struct SelectedStacks {
    std::size_t method = 0;  ///< position in SourceBase::methods
    std::vector<inspector::NodeStack> stacks{};
};
[[nodiscard]] SelectedStacks stacksOf(const SourceBase& base, const Selection& selection);

}  // namespace et::visualizers
