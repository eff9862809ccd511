#include "visualizers/lab/lab_prediction.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <numeric>
#include <utility>

namespace et::visualizers {

namespace {

constexpr double savedOfWeight = 0.75;  // int8 takes one byte of four

double timeOfCandidate(const std::vector<LabCandidate>& all, const LabChoice& choice, double otherwise) {
    const auto found = candidateOf(all, choice);
    return found ? all[*found].figures.milliseconds.value_or(otherwise) : otherwise;
}

/// Solves a symmetric positive definite system in place (Cholesky); `right` becomes the solution.
void solve(std::vector<std::vector<double>>& matrix, std::vector<double>& right) {
    const std::size_t size = right.size();
    for (std::size_t i = 0; i < size; ++i) {
        for (std::size_t j = 0; j <= i; ++j) {
            double sum = matrix[i][j];
            for (std::size_t k = 0; k < j; ++k) {
                sum -= matrix[i][k] * matrix[j][k];
            }
            matrix[i][j] = i == j ? std::sqrt(sum) : sum / matrix[j][j];
        }
    }
    for (std::size_t i = 0; i < size; ++i) {
        for (std::size_t k = 0; k < i; ++k) {
            right[i] -= matrix[i][k] * right[k];
        }
        right[i] /= matrix[i][i];
    }
    for (std::size_t i = size; i-- > 0;) {
        for (std::size_t k = i + 1; k < size; ++k) {
            right[i] -= matrix[k][i] * right[k];
        }
        right[i] /= matrix[i][i];
    }
}

}  // namespace

LabPrediction::LabPrediction(const LabStudy& study, const std::vector<double>& shares,
                             const std::vector<LabCandidate>& measured)
    : sites(study), known(measured) {
    double sum = 0;
    for (const LabSite& site : sites.sites) {
        sum += site.only.value_or(0);
    }
    noiseScale = sum > 0 ? sites.all / sum : 1;
    fitTimes(shares);
}

// The times that fit best what was measured, and otherwise differ least from the shares: least squares with a
// penalty, whose system has one row a site.
void LabPrediction::fitTimes(const std::vector<double>& shares) {
    constexpr double penalty = 0.5;
    const LabChoice fixed = sameChoice(sites, false);
    const double none = timeOfCandidate(known, fixed, 0);
    const double all = timeOfCandidate(known, sameChoice(sites, true), 0);
    const std::size_t count = sites.sites.size();
    if (none <= 0 || all <= 0) {
        return;
    }
    allTime = none;
    std::vector<double> part(count, 0);
    for (std::size_t i = 0; i < count; ++i) {
        part[i] = fixed[i] ? 0 : shares.size() == count ? std::max(shares[i], 0.0) : 1;
    }
    const double whole = std::accumulate(part.begin(), part.end(), 0.0);
    for (double& each : part) {
        each *= whole > 0 ? (all - none) / whole : 0;
    }
    std::vector<std::vector<double>> matrix(count, std::vector<double>(count, 0));
    std::vector<double> right(count, 0);
    for (std::size_t i = 0; i < count; ++i) {
        matrix[i][i] = penalty;
    }
    for (const LabCandidate& each : known) {
        if (!each.figures.milliseconds) {
            continue;
        }
        double missing = *each.figures.milliseconds - none;
        for (std::size_t i = 0; i < count; ++i) {
            missing -= each.inFloat[i] && !fixed[i] ? part[i] : 0;
        }
        for (std::size_t i = 0; i < count; ++i) {
            if (!each.inFloat[i] || fixed[i]) {
                continue;
            }
            right[i] += missing;
            for (std::size_t j = 0; j < count; ++j) {
                matrix[i][j] += each.inFloat[j] && !fixed[j] ? 1 : 0;
            }
        }
    }
    solve(matrix, right);
    std::ranges::transform(part, right, std::back_inserter(siteTimes), std::plus{});
}

double LabPrediction::noiseOf(const LabChoice& choice) const {
    double noise = 0;
    for (std::size_t i = 0; i < choice.size(); ++i) {
        noise += choice[i] ? 0 : sites.sites[i].only.value_or(0);
    }
    return noise * noiseScale;
}

std::optional<double> LabPrediction::bytesOf(const LabChoice& choice) const {
    std::optional<double> nearest;
    std::optional<double> bytes;
    for (const LabCandidate& each : known) {
        double away = 0;
        double more = 0;
        for (std::size_t i = 0; i < choice.size(); ++i) {
            const double weight = savedOfWeight * sites.sites[i].weightBytes;
            away += choice[i] != each.inFloat[i] ? weight : 0;
            more += (choice[i] ? weight : 0) - (each.inFloat[i] ? weight : 0);
        }
        if (each.figures.bytes && (!nearest || away < *nearest)) {
            nearest = away;
            bytes = *each.figures.bytes + more;
        }
    }
    return bytes;
}

std::optional<double> LabPrediction::timeOf(const LabChoice& choice) const {
    if (!allTime) {
        return std::nullopt;
    }
    double time = *allTime;
    for (std::size_t i = 0; i < choice.size(); ++i) {
        time += choice[i] ? siteTimes[i] : 0;
    }
    return std::max(time, 0.0);
}

LabFigures LabPrediction::of(const LabChoice& choice) const {
    return {.noise = noiseOf(choice), .bytes = bytesOf(choice), .milliseconds = timeOf(choice)};
}

}  // namespace et::visualizers
