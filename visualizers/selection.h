#pragma once

#include "visualizers/open_session.h"

#include <QObject>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace et::visualizers {

/// Position of an event: indices into EventBlocks::blocks() and Block::events.
struct EventRef {
    std::size_t block = 0;
    std::size_t event = 0;
    auto operator<=>(const EventRef&) const = default;
};

/// An operator of a method: an instruction, numbered as in the program and its traces, or an operator inside
/// a delegate that it calls.
struct OperatorRef {
    std::string method;
    core::InstructionId instruction{-1};
    /// The delegate's name for it in the trace (Event::name); empty: the instruction itself.
    std::string delegated{};
    bool operator==(const OperatorRef&) const = default;
};

/// A case of a bundled program: indices into Bundle::suites and TestSuite::cases.
struct CaseRef {
    std::size_t suite = 0;
    std::size_t testCase = 0;
    auto operator<=>(const CaseRef&) const = default;
};

/// Ticks of the trace's clock; both ends are inclusive.
struct TickRange {
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    bool operator==(const TickRange&) const = default;
};

/// The complete selection, to restore it.
struct Choice {
    std::optional<EventRef> event{};
    std::optional<OperatorRef> instruction{};
    std::string method{};                      ///< of `handles`
    std::vector<core::DebugHandle> handles{};  ///< selected without an event
    std::optional<CaseRef> testCase{};
    std::optional<TickRange> range{};
    bool operator==(const Choice&) const = default;
};

/// Selection in the open session. Views share it, listen to it and set it, and never call each other. When
/// another session opens, the event stays selected if an event of the same name is at the same position
/// (reload, another time scale), the range if the same trace still has events there, and an instruction or
/// debug handles selected without an event if program and record are the same files. GUI thread only.
class Selection : public QObject {
    Q_OBJECT

  public:
    /// `session` must outlive this object.
    explicit Selection(const OpenSession& session, QObject* parent = nullptr);

    /// The current event; always in the open session.
    [[nodiscard]] std::optional<EventRef> current() const { return chosen; }
    /// Block and event of current(); null if nothing is selected.
    [[nodiscard]] const inspector::Block* currentBlock() const;
    [[nodiscard]] const inspector::Event* currentEvent() const;
    /// All selected events, sorted, including the current one.
    [[nodiscard]] std::span<const EventRef> events() const { return together; }

    /// The current operator: that of the current event, or one without a known event.
    [[nodiscard]] const std::optional<OperatorRef>& currentOperator() const { return chosenOperator; }
    /// The current debug handles: those of the current event, of its delegate if it has none, or those that
    /// were selected directly (a node of a graph, a row of the numeric gap).
    [[nodiscard]] std::span<const core::DebugHandle> currentHandles() const;
    [[nodiscard]] std::optional<CaseRef> currentCase() const { return chosenCase; }
    /// The time range of the trace that views show; nothing: the whole trace.
    [[nodiscard]] std::optional<TickRange> range() const { return chosenRange; }

    /// The event under the pointer in any view, which all views highlight.
    [[nodiscard]] std::optional<EventRef> hovered() const { return pointed; }

    /// Positions outside the session count as nothing.
    void setHovered(std::optional<EventRef> event);
    /// Hovers the event that shares most of these debug handles of a method (sorted here), found as in
    /// setHandles().
    void setHoveredHandles(std::string_view method, std::vector<core::DebugHandle> handles);
    [[nodiscard]] const inspector::Event* hoveredEvent() const { return eventAt(pointed); }
    /// Debug handles of the event under the pointer; empty if there is none.
    [[nodiscard]] std::span<const core::DebugHandle> hoveredHandles() const;
    /// A position outside the session clears the selection.
    void setCurrent(std::optional<EventRef> event);
    /// Selects several events, to sum them; `current` is one of them, which views show. Positions outside the
    /// session are ignored.
    void setEvents(std::vector<EventRef> events, std::optional<EventRef> current);
    /// Selects the operator, and its event if the trace has one (findEvent()).
    void setOperator(const OperatorRef& which);
    /// Selects debug handles of a method (sorted here) and the event that shares most of them; of several,
    /// the one with the fewest others. Without such an event, only the debug handles are selected.
    void setHandles(std::string method, std::vector<core::DebugHandle> handles);
    /// A case outside the session clears the selected case.
    void setCase(std::optional<CaseRef> testCase);
    void setRange(std::optional<TickRange> ticks);
    [[nodiscard]] Choice choice() const;
    /// Anything outside the open session is ignored.
    void setChoice(const Choice& choice);
    /// Requests the window to show a panel with operators.
    void reveal() { emit revealed(); }

  signals:
    void currentChanged();  ///< event, operator or debug handles
    void eventsChanged();   ///< the set of selected events
    void hoverChanged();    ///< event under the pointer
    void caseChanged();
    void rangeChanged();
    void revealed();

  private:
    void follow(const SessionPointer& before);
    void emitCurrent();
    [[nodiscard]] const inspector::Event* eventAt(const std::optional<EventRef>& place) const;

    const OpenSession& open;
    std::optional<EventRef> chosen;
    std::optional<EventRef> pointed;
    std::vector<EventRef> together;
    std::optional<OperatorRef> chosenOperator;
    std::string handlesMethod;                     ///< of `chosenHandles`
    std::vector<core::DebugHandle> chosenHandles;  ///< selected without an event; empty: those of the event
    std::optional<CaseRef> chosenCase;
    std::optional<TickRange> chosenRange;
};

/// The first event with samples of an operator. For an instruction that calls a delegate, this is the call,
/// also for operators inside that this trace does not contain; without a call event, the first operator
/// inside. Nothing if the trace has none.
[[nodiscard]] std::optional<EventRef> findEvent(const inspector::EventBlocks* blocks,
                                                const OperatorRef& which);

}  // namespace et::visualizers
