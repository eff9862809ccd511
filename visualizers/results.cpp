#include "visualizers/results.h"

#include "inspector/numeric_gap/gap_sets.h"
#include "inspector/session/same_model.h"

#include <algorithm>
#include <string>
#include <utility>

namespace et::visualizers {

namespace {

/// The set of a new gap to show, given the set shown of the previous gap.
std::optional<std::size_t> setOf(const inspector::GapReport& report, const inspector::GapReport* before,
                                 std::optional<std::size_t> shown) {
    const std::vector<std::string> names = inspector::setsOf(report);
    if (before != nullptr && !before->otherSets.empty() && names.size() > 1) {
        if (!shown) {
            return std::nullopt;
        }
        const auto same = std::ranges::find(names, inspector::setsOf(*before)[*shown]);
        if (same != names.end()) {
            return static_cast<std::size_t>(same - names.begin());
        }
    }
    return inspector::setOfFirstDivergence(report);
}

}  // namespace

Results::Results(const OpenSession& session, QObject* parent) : QObject(parent), open(session) {
    connect(&open, &OpenSession::replaced, this, &Results::follow);
    connect(&open, &OpenSession::settled, this, [this] {
        if (!sameModel) {
            setGap(nullptr);
        }
        if (!sameTests) {
            setVerdicts(nullptr);
        }
    });
}

void Results::follow(const SessionPointer& before) {
    const SessionPointer& now = open.session();
    sameModel = now && before && inspector::haveSameModel(now->files, before->files);
    sameTests = now && before && now->bundle == before->bundle;
}

void Results::setGap(std::shared_ptr<const inspector::GapReport> report) {
    if (report == knownGap) {
        return;
    }
    const std::optional<std::size_t> set = report ? setOf(*report, knownGap.get(), shownSet) : 0;
    knownGap = std::move(report);
    staleGap = false;
    showSet(set);
    emit gapChanged();
    emit shownGapChanged();
}

void Results::showSet(std::optional<std::size_t> set) {
    shownSet = set;
    if (knownGap && !knownGap->otherSets.empty()) {
        shownGap = std::make_shared<const inspector::GapReport>(set ? inspector::reportOfSet(*knownGap, *set)
                                                                    : inspector::worstOfSets(*knownGap));
    } else {
        shownGap = knownGap;
    }
}

void Results::setGapSet(std::optional<std::size_t> set) {
    const bool known =
        knownGap && !knownGap->otherSets.empty() && (!set || *set <= knownGap->otherSets.size());
    if (known && set != shownSet) {
        showSet(set);
        emit shownGapChanged();
    }
}

void Results::setGapStale(bool stale) {
    stale = stale && knownGap;
    if (stale != staleGap) {
        staleGap = stale;
        emit shownGapChanged();
    }
}

void Results::setVerdicts(std::shared_ptr<const CaseReports> reports) {
    if (reports != knownVerdicts) {
        knownVerdicts = std::move(reports);
        emit verdictsChanged();
    }
}

void Results::setSiteErrors(std::shared_ptr<const inspector::SiteErrors> errors) {
    if (errors != knownSiteErrors) {
        knownSiteErrors = std::move(errors);
        emit siteErrorsChanged();
    }
}

void Results::setLimits(std::shared_ptr<const inspector::events::EventLimits> limits) {
    if (limits != knownLimits) {
        knownLimits = std::move(limits);
        emit limitsChanged();
    }
}

void Results::setTimeline(std::shared_ptr<const Timeline> timeline) {
    if (timeline != knownTimeline) {
        knownTimeline = std::move(timeline);
        emit timelineChanged();
    }
}

}  // namespace et::visualizers
