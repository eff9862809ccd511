#pragma once

#include "bundled_program/verify.h"
#include "inspector/numeric_gap/gap_report.h"
#include "inspector/session/session.h"

#include <QObject>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
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

/// An instruction of a method, as the program and its traces number them.
struct OperatorRef {
    std::string method;
    core::InstructionId instruction{-1};
    bool operator==(const OperatorRef&) const = default;
};

/// A case of a bundled program: indices into Bundle::suites and TestSuite::cases.
struct CaseRef {
    std::size_t suite = 0;
    std::size_t testCase = 0;
    auto operator<=>(const CaseRef&) const = default;
};

using CaseReports = std::vector<bundled_program::CaseReport>;

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
    std::optional<std::size_t> gapSet{0};  ///< nothing: the worst of all
    bool operator==(const Choice&) const = default;
};

/// What is open and what is chosen in it; every view shares one. Views listen and set, and never call each
/// other. GUI thread only.
class Selection : public QObject {
    Q_OBJECT

  public:
    explicit Selection(QObject* parent = nullptr);

    /// Null when nothing is open.
    [[nodiscard]] const std::shared_ptr<const inspector::Session>& session() const { return opened; }
    /// The join of the open session; null without a trace.
    [[nodiscard]] const inspector::EventBlocks* blocks() const;

    /// The chosen event; always one of the open session.
    [[nodiscard]] std::optional<EventRef> current() const { return chosen; }
    /// The parts of the chosen event; null when none is chosen.
    [[nodiscard]] const inspector::Block* currentBlock() const;
    [[nodiscard]] const inspector::Event* currentEvent() const;

    /// The chosen instruction: that of the chosen event, or one that no event is known of.
    [[nodiscard]] const std::optional<OperatorRef>& currentOperator() const { return chosenOperator; }
    /// The chosen debug handles: those of the chosen event, of its delegate where it has none of its own, or
    /// those that were chosen themselves (a node of a graph, a row of the numeric gap).
    [[nodiscard]] std::span<const core::DebugHandle> currentHandles() const;
    [[nodiscard]] std::optional<CaseRef> currentCase() const { return chosenCase; }
    /// The part of the trace that views look at; nothing: all of it.
    [[nodiscard]] std::optional<TickRange> range() const { return chosenRange; }

    /// The numeric gap of what is open on the chosen set of inputs, for all who colour or list operators by
    /// it; null: nobody has calculated it yet.
    [[nodiscard]] const std::shared_ptr<const inspector::GapReport>& gap() const { return shownGap; }
    /// The same with all sets, as it was calculated.
    [[nodiscard]] const std::shared_ptr<const inspector::GapReport>& wholeGap() const { return knownGap; }
    /// Which set of inputs gap() is of; nothing: of every operator the one on which it is worst.
    [[nodiscard]] std::optional<std::size_t> gapSet() const { return chosenSet; }
    /// Whether the gap is of files that have changed since.
    [[nodiscard]] bool gapIsStale() const { return staleGap; }

    /// What became of the cases of the open bundled program that ran; null: none did.
    [[nodiscard]] const std::shared_ptr<const CaseReports>& verdicts() const { return knownVerdicts; }

    /// Replaces what is open. The chosen event stays chosen where the new session has an event of the same
    /// name at the same place (reload, another time scale), the range where the same trace still has events
    /// there, and an instruction or handles chosen by themselves where program and record are the same files.
    /// The gap stays where the program and the record are the same files, verdicts while the bundled program
    /// is not read again.
    void setSession(std::shared_ptr<const inspector::Session> session);

    /// A position outside the session clears the choice.
    void setCurrent(std::optional<EventRef> event);
    /// Chooses the instruction, and its first event with samples where the trace has one.
    void setOperator(const OperatorRef& instruction);
    /// Chooses debug handles of a method, sorted here, and with them the event that shares most of them: of
    /// several, the one with the fewest others. Without such an event the handles are chosen alone.
    void setHandles(std::string method, std::vector<core::DebugHandle> handles);
    /// A case outside the session clears the choice.
    void setCase(std::optional<CaseRef> testCase);
    void setRange(std::optional<TickRange> ticks);
    /// Shows the set that was shown before where the new gap has one of the same name; at first the one on
    /// which the first divergence is.
    void setGap(std::shared_ptr<const inspector::GapReport> report);
    /// A set outside is not chosen; nothing: the worst of all.
    void setGapSet(std::optional<std::size_t> set);
    void setGapStale(bool stale);
    void setVerdicts(std::shared_ptr<const CaseReports> reports);
    [[nodiscard]] Choice choice() const;
    /// What is not of the open session is left out.
    void setChoice(const Choice& choice);
    /// Asks the window to bring what shows operators to the front.
    void reveal() { emit revealed(); }

  signals:
    void sessionChanged();
    void currentChanged();  ///< the event, the instruction, the debug handles
    void caseChanged();
    void rangeChanged();
    void gapChanged();       ///< another gap is known
    void shownGapChanged();  ///< another gap, another of its sets, or it became stale
    void verdictsChanged();
    void revealed();

  private:
    void showSet(std::optional<std::size_t> set);
    [[nodiscard]] bool contains(const std::optional<EventRef>& event) const;
    [[nodiscard]] bool contains(const std::optional<CaseRef>& testCase) const;
    [[nodiscard]] std::optional<EventRef> eventOf(const OperatorRef& instruction) const;
    [[nodiscard]] std::optional<EventRef> eventOf(std::string_view method,
                                                  std::span<const core::DebugHandle> handles) const;
    [[nodiscard]] std::optional<OperatorRef> operatorOf(const std::optional<EventRef>& event) const;

    std::shared_ptr<const inspector::Session> opened;
    std::optional<EventRef> chosen;
    std::optional<OperatorRef> chosenOperator;
    std::string handlesMethod;                     ///< of `chosenHandles`
    std::vector<core::DebugHandle> chosenHandles;  ///< by themselves; empty: those of the event
    std::optional<CaseRef> chosenCase;
    std::optional<TickRange> chosenRange;
    std::shared_ptr<const inspector::GapReport> knownGap;
    std::shared_ptr<const inspector::GapReport> shownGap;  ///< the part of it that is shown
    std::optional<std::size_t> chosenSet{0};               ///< nothing: the worst of all
    bool staleGap = false;
    std::shared_ptr<const CaseReports> knownVerdicts;
};

}  // namespace et::visualizers
