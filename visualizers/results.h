#pragma once

#include "bundled_program/verify.h"
#include "inspector/graph/graph_numbers.h"
#include "inspector/numeric_gap/gap_report.h"
#include "visualizers/open_session.h"

#include <QObject>

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace et::visualizers {

using CaseReports = std::vector<bundled_program::CaseReport>;

/// What was computed of the open session: the numeric gap, and what became of its test cases. The gap stays
/// while program and record are the same files, verdicts while the bundled program is not read again. GUI
/// thread only.
class Results : public QObject {
    Q_OBJECT

  public:
    /// `session` must outlive this object.
    explicit Results(const OpenSession& session, QObject* parent = nullptr);

    /// The numeric gap on the shown set of inputs, for all who colour or list operators by it; null: nobody
    /// has calculated it yet.
    [[nodiscard]] const std::shared_ptr<const inspector::GapReport>& gap() const { return shownGap; }
    /// The same with all sets, as it was calculated.
    [[nodiscard]] const std::shared_ptr<const inspector::GapReport>& wholeGap() const { return knownGap; }
    /// Which set of inputs gap() is of; nothing: of every operator the one on which it is worst.
    [[nodiscard]] std::optional<std::size_t> gapSet() const { return shownSet; }
    /// Whether the gap is of files that have changed since.
    [[nodiscard]] bool gapIsStale() const { return staleGap; }
    /// What became of the cases of the open bundled program that ran; null: none did.
    [[nodiscard]] const std::shared_ptr<const CaseReports>& verdicts() const { return knownVerdicts; }

    /// What quantizing each site of a method alone does to its outputs; null: nobody has measured it.
    [[nodiscard]] const std::shared_ptr<const inspector::SiteErrors>& siteErrors() const {
        return knownSiteErrors;
    }

    /// Shows the set that was shown before where the new gap has one of the same name; at first the one on
    /// which the first divergence is.
    void setGap(std::shared_ptr<const inspector::GapReport> report);
    /// A set outside is not shown; nothing: the worst of all.
    void setGapSet(std::optional<std::size_t> set);
    void setGapStale(bool stale);
    void setVerdicts(std::shared_ptr<const CaseReports> reports);
    /// The Lab keeps them with its study, and takes them back when another model opens.
    void setSiteErrors(std::shared_ptr<const inspector::SiteErrors> errors);

  signals:
    void gapChanged();       ///< another gap is known
    void shownGapChanged();  ///< another gap, another of its sets, or it became stale
    void verdictsChanged();
    void siteErrorsChanged();

  private:
    void follow(const SessionPointer& before);
    void showSet(std::optional<std::size_t> set);

    const OpenSession& open;
    std::shared_ptr<const inspector::GapReport> knownGap;
    std::shared_ptr<const inspector::GapReport> shownGap;  ///< the part of it that is shown
    std::optional<std::size_t> shownSet{0};                ///< nothing: the worst of all
    bool staleGap = false;
    std::shared_ptr<const CaseReports> knownVerdicts;
    std::shared_ptr<const inspector::SiteErrors> knownSiteErrors;
    bool sameModel = true;  ///< as the session before
    bool sameTests = true;
};

}  // namespace et::visualizers
