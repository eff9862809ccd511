#pragma once

#include "runtime/core/result.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// Sites of a float model and the programs made from it (docs/how_to/quantize.md). Errors are noise: the power
// of the difference to the float model's outputs divided by the power of these outputs.
namespace et::visualizers {

/// Noise of at least this size: outputs are not finite where those of the float model are.
inline constexpr double labNonFiniteNoise = 1e30;

/// Quantization scheme of a site, as in `et-inspect quantize --scheme`.
enum class LabScheme : std::uint8_t { Static8, Float, Dynamic8, Weights8, Dynamic4, Half };

/// All schemes in the order in which a site cycles through them.
inline constexpr std::array labSchemes{LabScheme::Static8,  LabScheme::Float,    LabScheme::Dynamic8,
                                       LabScheme::Weights8, LabScheme::Dynamic4, LabScheme::Half};

/// "w8a8-static", "float", "w4a8-dynamic:32", …
[[nodiscard]] QString labSchemeName(LabScheme scheme);
/// The scheme with this name; nothing if the lab does not support it.
[[nodiscard]] std::optional<LabScheme> parseLabScheme(const QString& name);
/// True if the study has figures for the scheme; the others are known only from measured programs.
[[nodiscard]] constexpr bool isStudied(LabScheme scheme) {
    return scheme == LabScheme::Static8 || scheme == LabScheme::Float;
}

/// One scheme per site.
using LabChoice = std::vector<LabScheme>;

/// True if all sites have static scales or are in float.
[[nodiscard]] bool isStudied(const LabChoice& choice);

/// An anchor of a quantizer pattern.
struct LabSite {
    QString name;                         ///< exported operator: "conv2d_1"
    QString op;                           ///< "conv"
    QString module;                       ///< empty: the root
    QString line;                         ///< "model.py:12"; empty: unknown
    std::vector<std::string> nodes{};     ///< in the Edge graph, its own node first
    QString rule{};                       ///< reason why it must stay in float; empty: it can be quantized
    double weightBytes = 0;               ///< size of its weight in float
    std::optional<double> only{};         ///< noise with only this site in int8; nothing: cannot be quantized
    std::optional<double> weight{};       ///< with only its weight; nothing: it has none
    std::optional<double> activations{};  ///< with everything except its weight
    std::optional<double> allBut{};       ///< with all other sites in int8
    QString cause{};                      ///< main cause of its error; may be empty
    std::vector<LabScheme> schemes{};     ///< supported schemes, in the order of labSchemes

    [[nodiscard]] bool canChoose() const { return rule.isEmpty(); }
    [[nodiscard]] bool takes(LabScheme scheme) const;
    /// Bytes of its weight. Scales of 4-bit weights are included, per-channel scales are not; convolution
    /// filters keep their size in half precision.
    [[nodiscard]] double bytesOfWeight(LabScheme scheme) const;
};

/// Content of `et-inspect sensitivity --format json`.
struct LabStudy {
    QString method;
    qint64 calibrationCases = 0;
    qint64 evaluationCases = 0;
    double all = 0;  ///< noise with all sites in int8
    std::vector<LabSite> sites{};
    QByteArray json{};  ///< source text
};

/// Cost and error of a program; nothing if unknown.
struct LabFigures {
    std::optional<double> noise{};
    std::optional<double> bytes{};
    std::optional<double> milliseconds{};  ///< median of a run

    bool operator==(const LabFigures&) const = default;
};

/// A program made from the model.
struct LabCandidate {
    LabChoice choice;
    LabFigures figures{};
    bool onFront = false;  ///< no other program is at least as good in all known figures and better in one
};

/// Errors of all of these: Format (different text or schema, or a missing value, which is named).
[[nodiscard]] core::Result<LabStudy> readLabStudy(const QByteArray& json);
/// Reads `et-inspect optimize --format json`; unknown sites and schemes that the lab does not support are an
/// error.
[[nodiscard]] core::Result<std::vector<LabCandidate>> readLabCandidates(const QByteArray& json,
                                                                        const LabStudy& study);
/// Writes the candidates with a known error in the format of readLabCandidates().
[[nodiscard]] QByteArray labCandidatesJson(const LabStudy& study,
                                           const std::vector<LabCandidate>& candidates);
/// Error and bytes of a program from `et-inspect quantize --evaluate … --format json`.
[[nodiscard]] core::Result<LabFigures> readLabProgram(const QByteArray& json);
/// Median time of a run in milliseconds from `et-inspect bench --format json`.
[[nodiscard]] core::Result<double> readLabTime(const QByteArray& json);

/// The same scheme for all sites; those that do not support it are in float.
[[nodiscard]] LabChoice sameChoice(const LabStudy& study, LabScheme scheme);
/// Names of the sites in float, except those that must be.
[[nodiscard]] QStringList keptSites(const LabStudy& study, const LabChoice& choice);
/// A choice in its saved form: "conv" is in float, "conv=fp16" has a scheme; all others have static scales or
/// must be in float.
[[nodiscard]] QStringList schemeEntries(const LabStudy& study, const LabChoice& choice);
/// The choice of such entries; unknown sites and unsupported schemes are ignored.
[[nodiscard]] LabChoice choiceOfEntries(const LabStudy& study, const QStringList& entries);

/// Replaces the candidate with the same sites or adds one; unknown figures keep their values. Updates
/// `onFront`; times within 2 % are equal.
void addCandidates(std::vector<LabCandidate>& all, const std::vector<LabCandidate>& more);
/// The candidate with these sites; nothing if there is none.
[[nodiscard]] std::optional<std::size_t> candidateOf(const std::vector<LabCandidate>& all,
                                                     const LabChoice& choice);

}  // namespace et::visualizers
