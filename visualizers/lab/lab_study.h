#pragma once

#include "runtime/core/result.h"
#include "visualizers/lab/lab_scheme.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

// What is known of the sites of a float model, and of the programs that they can become (docs/lab.md). Errors
// are noise: the power of the difference to the float model's outputs over the power of these.
namespace et::visualizers {

/// A place where the quantizer anchors a pattern.
struct LabSite {
    QString name;                      ///< of the exported operator: "conv2d_1"
    QString op;                        ///< "conv"
    QString module;                    ///< empty: the root
    QString line;                      ///< "model.py:12"; empty: unknown
    std::vector<std::string> nodes{};  ///< of the Edge graph, its own first
    QString rule{};                    ///< why it stays in float whatever is chosen; empty: it can be chosen
    double weightBytes = 0;            ///< of its weight in float
    std::optional<double> only{};      ///< noise with it alone in int8; nothing: it cannot be
    std::optional<double> weight{};    ///< with its weight alone; nothing: it has none
    std::optional<double> activations{};  ///< with all but its weight
    std::optional<double> allBut{};       ///< with all others in int8
    QString cause{};                      ///< what most of its error comes from; may be empty
    std::vector<LabScheme> schemes{};     ///< that it can have, in the order of labSchemes

    [[nodiscard]] bool canChoose() const { return rule.isEmpty(); }
    [[nodiscard]] bool takes(LabScheme scheme) const;
    /// Bytes of its weight: scales of 4 bits count, those of a channel do not, and filters of convolutions
    /// stay as they are in half precision.
    [[nodiscard]] double bytesOfWeight(LabScheme scheme) const;
};

/// What `et-inspect sensitivity --format json` says.
struct LabStudy {
    QString method;
    qint64 calibrationCases = 0;
    qint64 evaluationCases = 0;
    double all = 0;  ///< noise with all sites in int8
    std::vector<LabSite> sites{};
    QByteArray json{};  ///< what it was read from
};

/// What a program costs and how near it is; nothing where that is not known.
struct LabFigures {
    std::optional<double> noise{};
    std::optional<double> bytes{};
    std::optional<double> milliseconds{};  ///< of a run, median

    bool operator==(const LabFigures&) const = default;
};

/// A program that was made of the model.
struct LabCandidate {
    LabChoice choice;
    LabFigures figures{};
    bool onFront = false;  ///< no other one is as good in all that is known of both, and better in one
};

/// Errors of all of these: Format (another text or schema, a value that is missing: names it).
[[nodiscard]] core::Result<LabStudy> readLabStudy(const QByteArray& json);
/// What `et-inspect optimize --format json` found; names of sites that the study does not have, and of
/// schemes that the lab does not have, are an error.
[[nodiscard]] core::Result<std::vector<LabCandidate>> readLabCandidates(const QByteArray& json,
                                                                        const LabStudy& study);
/// What readLabCandidates() reads of those whose error is known.
[[nodiscard]] QByteArray labCandidatesJson(const LabStudy& study,
                                           const std::vector<LabCandidate>& candidates);
/// Error and bytes of a program that `et-inspect quantize --evaluate … --format json` made.
[[nodiscard]] core::Result<LabFigures> readLabProgram(const QByteArray& json);
/// The median of a run in milliseconds, of `et-inspect bench --format json`.
[[nodiscard]] core::Result<double> readLabTime(const QByteArray& json);

/// All sites with a scheme, those that cannot have it in float.
[[nodiscard]] LabChoice sameChoice(const LabStudy& study, LabScheme scheme);
/// Names of the sites in float; without those that have to be.
[[nodiscard]] QStringList keptSites(const LabStudy& study, const LabChoice& choice);
/// A choice as it is kept: "conv" is in float, "conv=fp16" has a scheme; all others have static scales, or
/// have to be in float.
[[nodiscard]] QStringList schemeEntries(const LabStudy& study, const LabChoice& choice);
/// The choice of such entries; what the study does not have, and what a site cannot be, is left out.
[[nodiscard]] LabChoice choiceOfEntries(const LabStudy& study, const QStringList& entries);

/// Replaces the candidate of the same sites, or adds one; what it does not say stays as it was. Says anew
/// which are on the front: times within 2 % are equal.
void addCandidates(std::vector<LabCandidate>& all, const std::vector<LabCandidate>& more);
/// The candidate with these sites; nothing: there is none.
[[nodiscard]] std::optional<std::size_t> candidateOf(const std::vector<LabCandidate>& all,
                                                     const LabChoice& choice);

}  // namespace et::visualizers
