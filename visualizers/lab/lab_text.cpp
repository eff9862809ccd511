#include "visualizers/lab/lab_text.h"

#include "inspector/format/quantities.h"
#include "visualizers/toolkit/text.h"

#include <QStringList>

#include <algorithm>
#include <cmath>

namespace et::visualizers {

namespace {

constexpr qsizetype mostNames = 12;

QString listOf(QStringList names) {
    const qsizetype more = names.size() - mostNames;
    if (more > 0) {
        names.resize(mostNames);
        names.append(QStringLiteral("%1 more").arg(more));
    }
    return names.join(QStringLiteral(", "));
}

}  // namespace

QString labDecibels(double noise) {
    constexpr double perDecade = -10;
    if (noise >= labNonFiniteNoise) {
        return QStringLiteral("not finite");
    }
    return noise > 0 ? QStringLiteral("%1 dB").arg(perDecade * std::log10(noise), 0, 'f', 2)
                     : QStringLiteral("exact");
}

QString labPercent(double noise) {
    constexpr double percent = 100;
    return QStringLiteral("%1 %").arg(percent * std::sqrt(noise), 0, 'g', 3);
}

QString labBytes(double bytes) {
    return toQString(inspector::format::readableBytes(static_cast<std::uint64_t>(std::max(bytes, 0.0))));
}

QString labTime(double milliseconds) {
    return timeText(milliseconds, inspector::TimeScale::Milliseconds);
}

QString labSites(const LabStudy& study, const LabChoice& choice) {
    const QStringList kept = keptSites(study, choice);
    QStringList others;
    for (std::size_t i = 0; i < study.sites.size(); ++i) {
        if (choice[i] != LabScheme::Float) {
            others.append(study.sites[i].name);
        }
    }
    return kept.isEmpty()                 ? QStringLiteral("none")
           : others.isEmpty()             ? QStringLiteral("all")
           : kept.size() <= others.size() ? listOf(kept)
                                          : QStringLiteral("all except %1").arg(listOf(others));
}

QString labChoiceText(const LabStudy& study, const LabChoice& choice) {
    QStringList parts{QStringLiteral("in float: %1").arg(labSites(study, choice))};
    for (const LabScheme scheme : labSchemes) {
        QStringList names;
        for (std::size_t i = 0; i < study.sites.size(); ++i) {
            if (choice[i] == scheme && !isStudied(scheme)) {
                names.append(study.sites[i].name);
            }
        }
        if (!names.isEmpty()) {
            parts.append(QStringLiteral("%1: %2").arg(labSchemeName(scheme), listOf(names)));
        }
    }
    return parts.join(QStringLiteral("   ·   "));
}

QString labCandidateText(const LabStudy& study, const LabCandidate& candidate) {
    const LabFigures& figures = candidate.figures;
    QStringList parts;
    if (figures.noise) {
        parts.append(
            *figures.noise > 0 && *figures.noise < labNonFiniteNoise
                ? QStringLiteral("%1 (%2)").arg(labDecibels(*figures.noise), labPercent(*figures.noise))
                : labDecibels(*figures.noise));
    }
    if (figures.bytes) {
        parts.append(labBytes(*figures.bytes));
    }
    if (figures.milliseconds) {
        parts.append(labTime(*figures.milliseconds));
    }
    parts.append(labChoiceText(study, candidate.choice));
    return parts.join(QStringLiteral("   ·   "));
}

}  // namespace et::visualizers
