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

/// An operator of a method: an instruction, as the program and its traces number them, or what ran inside of
/// a delegate that it calls.
struct OperatorRef {
    std::string method;
    core::InstructionId instruction{-1};
    /// The delegate's own name of it in the trace (Event::name); empty: the instruction itself.
    std::string delegated{};
    bool operator==(const OperatorRef&) const = default;
};

/// A case of a bundled program: indices into Bundle::suites and TestSuite::cases.
struct CaseRef {
    std::size_t suite = 0;
    std::size_t testCase = 0;
    auto operator<=>(const CaseRef&) const = default;
};

/// Ticks of the trace's clock, both ends included.
struct TickRange {
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    bool operator==(const TickRange&) const = default;
};

/// All that is chosen, to come back to it.
struct Choice {
    std::optional<EventRef> event{};
    std::optional<OperatorRef> instruction{};
    std::string method{};                      ///< of `handles`
    std::vector<core::DebugHandle> handles{};  ///< chosen by themselves
    std::optional<CaseRef> testCase{};
    std::optional<TickRange> range{};
    bool operator==(const Choice&) const = default;
};

/// What is chosen of the open session; views share it, listen and set, and never call each other. When
/// another session opens, the event stays chosen where that has an event of the same name at the same place
/// (reload, another time scale), the range where the same trace still has events there, and an instruction or
/// handles chosen by themselves where program and record are the same files. GUI thread only.
class Selection : public QObject {
    Q_OBJECT

  public:
    /// `session` must outlive this object.
    explicit Selection(const OpenSession& session, QObject* parent = nullptr);

    /// The chosen event; always one of the open session.
    [[nodiscard]] std::optional<EventRef> current() const { return chosen; }
    /// The parts of the chosen event; null when none is chosen.
    [[nodiscard]] const inspector::Block* currentBlock() const;
    [[nodiscard]] const inspector::Event* currentEvent() const;
    /// The events that are chosen together, sorted: the chosen one and those beside it.
    [[nodiscard]] std::span<const EventRef> events() const { return together; }

    /// The chosen operator: that of the chosen event, or one that no event is known of.
    [[nodiscard]] const std::optional<OperatorRef>& currentOperator() const { return chosenOperator; }
    /// The chosen debug handles: those of the chosen event, of its delegate where it has none of its own, or
    /// those that were chosen themselves (a node of a graph, a row of the numeric gap).
    [[nodiscard]] std::span<const core::DebugHandle> currentHandles() const;
    [[nodiscard]] std::optional<CaseRef> currentCase() const { return chosenCase; }
    /// The part of the trace that views look at; nothing: all of it.
    [[nodiscard]] std::optional<TickRange> range() const { return chosenRange; }

    /// The event below the pointer, in whichever view that is; views let it glow.
    [[nodiscard]] std::optional<EventRef> hovered() const { return pointed; }

    /// Positions outside the session are nothing.
    void setHovered(std::optional<EventRef> event);
    /// The event that shares most of these debug handles (sorted here) of a method, as setHandles() finds it.
    void setHoveredHandles(std::string_view method, std::vector<core::DebugHandle> handles);
    [[nodiscard]] const inspector::Event* hoveredEvent() const { return eventAt(pointed); }
    /// Those of the event below the pointer; empty: there is none.
    [[nodiscard]] std::span<const core::DebugHandle> hoveredHandles() const;
    /// A position outside the session clears the choice.
    void setCurrent(std::optional<EventRef> event);
    /// Chooses several, to sum them up; `current` is the one that views show, and among them. Positions
    /// outside the session are left out.
    void setEvents(std::vector<EventRef> events, std::optional<EventRef> current);
    /// Chooses the operator, and its event where the trace has one (findEvent()).
    void setOperator(const OperatorRef& which);
    /// Chooses debug handles of a method, sorted here, and with them the event that shares most of them: of
    /// several, the one with the fewest others. Without such an event the handles are chosen alone.
    void setHandles(std::string method, std::vector<core::DebugHandle> handles);
    /// A case outside the session clears the choice.
    void setCase(std::optional<CaseRef> testCase);
    void setRange(std::optional<TickRange> ticks);
    [[nodiscard]] Choice choice() const;
    /// What is not of the open session is left out.
    void setChoice(const Choice& choice);
    /// Asks the window to bring what shows operators to the front.
    void reveal() { emit revealed(); }

  signals:
    void currentChanged();  ///< the event, the operator, the debug handles
    void eventsChanged();   ///< which events are chosen together
    void hoverChanged();    ///< the event below the pointer
    void caseChanged();
    void rangeChanged();
    void revealed();

  private:
    void follow(const SessionPointer& before);
    void speakOfCurrent();
    [[nodiscard]] const inspector::Event* eventAt(const std::optional<EventRef>& place) const;
    [[nodiscard]] bool contains(const std::optional<CaseRef>& testCase) const;

    const OpenSession& open;
    std::optional<EventRef> chosen;
    std::optional<EventRef> pointed;
    std::vector<EventRef> together;
    std::optional<OperatorRef> chosenOperator;
    std::string handlesMethod;                     ///< of `chosenHandles`
    std::vector<core::DebugHandle> chosenHandles;  ///< by themselves; empty: those of the event
    std::optional<CaseRef> chosenCase;
    std::optional<TickRange> chosenRange;
};

/// The first event with samples of an operator. Of an instruction that calls a delegate that is the call,
/// also for what ran inside and this trace does not know; without it, the first that ran inside. Nothing: the
/// trace has none.
[[nodiscard]] std::optional<EventRef> findEvent(const inspector::EventBlocks* blocks,
                                                const OperatorRef& which);

}  // namespace et::visualizers
