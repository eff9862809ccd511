#pragma once

#include "inspector/names/python_stack.h"
#include "inspector/session/session.h"
#include "inspector/source/source_index.h"
#include "visualizers/selection.h"

#include <memory>
#include <string>
#include <vector>

namespace et::visualizers {

/// Data of the source views: the Python lines of all methods. Immutable; keeps everything it refers to alive.
struct SourceBase {
    std::shared_ptr<const inspector::Session> session;
    std::vector<inspector::SourceIndex> methods{};  ///< methods with at least one line
    std::vector<std::string> problems{};
    std::optional<inspector::TimeScale> timeScale{};  ///< time unit; nothing without a trace

    /// True if a session has stacks: a record, or a program that contains them.
    [[nodiscard]] static bool has(const inspector::Session& session);
    /// Takes a moment.
    [[nodiscard]] static std::shared_ptr<const SourceBase> build(
        const std::shared_ptr<const inspector::Session>& session);
};

/// The selection as stacks of one method.
struct SelectedStacks {
    std::size_t method = 0;  ///< position in SourceBase::methods
    std::vector<inspector::NodeStack> stacks{};
};
[[nodiscard]] SelectedStacks stacksOf(const SourceBase& base, const Selection& selection);

}  // namespace et::visualizers
