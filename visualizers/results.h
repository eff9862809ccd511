#pragma once

#include "bundled_program/verify.h"
#include "inspector/events/event_limits.h"
#include "inspector/graph/graph_numbers.h"
#include "inspector/numeric_gap/gap_report.h"
#include "visualizers/open_session.h"

#include <QObject>

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace et::visualizers {

struct Timeline;

using CaseReports = std::vector<bundled_program::CaseReport>;

/// Results computed for the open session: the numeric gap, the verdicts of test cases, and the trace as a
/// timeline. The gap is kept while program and record are the same files, verdicts until the bundled program
/// is reloaded. GUI thread only.
class Results : public QObject {
    Q_OBJECT

  public:
    /// `session` must outlive this object.
    explicit Results(const OpenSession& session, QObject* parent = nullptr);

    /// The numeric gap on the shown input set, for all views that colour or list operators by it; null: not
    /// calculated yet.
    [[nodiscard]] const std::shared_ptr<const inspector::GapReport>& gap() const { return shownGap; }
    /// The calculated gap with all sets.
    [[nodiscard]] const std::shared_ptr<const inspector::GapReport>& wholeGap() const { return knownGap; }
    /// Input set of gap(); nothing: for each operator, the set with the largest error.
    [[nodiscard]] std::optional<std::size_t> gapSet() const { return shownSet; }
    /// True if the files have changed since the gap was calculated.
    [[nodiscard]] bool gapIsStale() const { return staleGap; }
    /// Results of the executed cases of the open bundled program; null: none ran.
    [[nodiscard]] const std::shared_ptr<const CaseReports>& verdicts() const { return knownVerdicts; }

    /// Output error of quantizing each site of a method alone; null: not measured.
    [[nodiscard]] const std::shared_ptr<const inspector::SiteErrors>& siteErrors() const {
        return knownSiteErrors;
    }

    /// Work and minimum times of the open trace's events, for views that list them; null: not calculated.
    [[nodiscard]] const std::shared_ptr<const inspector::events::EventLimits>& limits() const {
        return knownLimits;
    }

    /// The open trace on a time axis; null: none, or being built.
    [[nodiscard]] const std::shared_ptr<const Timeline>& timeline() const { return knownTimeline; }

    /// Shows the set with the name of the previously shown one if the new gap has it; initially, the set with
    /// the first divergence.
    void setGap(std::shared_ptr<const inspector::GapReport> report);
    /// An invalid set is ignored; nothing: the worst of all sets.
    void setGapSet(std::optional<std::size_t> set);
    void setGapStale(bool stale);
    void setVerdicts(std::shared_ptr<const CaseReports> reports);
    /// The Lab stores them with its study and clears them when another model opens.
    void setSiteErrors(std::shared_ptr<const inspector::SiteErrors> errors);
    void setLimits(std::shared_ptr<const inspector::events::EventLimits> limits);
    void setTimeline(std::shared_ptr<const Timeline> timeline);

  signals:
    void gapChanged();       ///< a different gap
    void shownGapChanged();  ///< a different gap, another of its sets, or the gap became stale
    void verdictsChanged();
    void siteErrorsChanged();
    void limitsChanged();
    void timelineChanged();

  private:
    void follow(const SessionPointer& before);
    void showSet(std::optional<std::size_t> set);

    const OpenSession& open;
    std::shared_ptr<const inspector::GapReport> knownGap;
    std::shared_ptr<const inspector::GapReport> shownGap;  ///< the shown part of it
    std::optional<std::size_t> shownSet{0};                ///< nothing: the worst of all sets
    bool staleGap = false;
    std::shared_ptr<const CaseReports> knownVerdicts;
    std::shared_ptr<const inspector::SiteErrors> knownSiteErrors;
    std::shared_ptr<const inspector::events::EventLimits> knownLimits;
    std::shared_ptr<const Timeline> knownTimeline;
    bool sameModel = true;  ///< same model as the previous session
    bool sameTests = true;
};

}  // namespace et::visualizers
