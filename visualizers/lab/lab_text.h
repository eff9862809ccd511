#pragma once

#include "visualizers/lab/lab_study.h"

#include <QString>

namespace et::visualizers {

/// "27.07 dB", "exact", or "not finite".
[[nodiscard]] QString labDecibels(double noise);
/// The noise as a ratio of amplitudes: "4.43 %".
[[nodiscard]] QString labPercent(double noise);
/// "89.8 KiB".
[[nodiscard]] QString labBytes(double bytes);
/// "163.1 µs".
[[nodiscard]] QString labTime(double milliseconds);
/// The sites in float, or their complement if shorter: "none", "all", "conv2d, linear", "all but conv2d_3";
/// long lists are cut.
[[nodiscard]] QString labSites(const LabStudy& study, const LabChoice& choice);
/// "in float: conv2d   ·   fp16: linear"; all others have static scales.
[[nodiscard]] QString labChoiceText(const LabStudy& study, const LabChoice& choice);
/// "27.07 dB (4.43 %)   ·   89.8 KiB   ·   163.1 µs   ·   in float: linear".
[[nodiscard]] QString labCandidateText(const LabStudy& study, const LabCandidate& candidate);

}  // namespace et::visualizers
