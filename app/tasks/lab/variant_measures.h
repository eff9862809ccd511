#pragma once

#include "app/tasks/base/progress_reporter.h"
#include "app/tasks/lab/lower_run.h"
#include "app/tasks/lab/quantized_variants.h"
#include "app/tasks/lab/site_search.h"
#include "runtime/core/result.h"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace et::tasks {

/// Measurements of a model's variants for a search: the error in the reference interpreter, or of the program
/// run here if it uses schemes other than static ones; the bytes of built programs.
class VariantMeasures final : public SiteMeasures {
  public:
    /// `deadline`: no further variant is measured after it, except the first one. `cancel` may be null.
    VariantMeasures(QuantizedVariants& of, std::chrono::steady_clock::time_point deadline,
                    const std::atomic<bool>* cancelled)
        : variants(of), end(deadline), cancel(cancelled) {}

    [[nodiscard]] core::Result<std::vector<double>> noises(std::span<const SiteSchemes> choices) override;
    [[nodiscard]] core::Result<std::uint64_t> bytes(const SiteSchemes& choice) override;
    [[nodiscard]] bool isOver() const override;

    /// Builds the program with these schemes in memory.
    [[nodiscard]] core::Result<LowerResult> program(const SiteSchemes& choice);
    void setDeadline(std::chrono::steady_clock::time_point deadline) { end = deadline; }
    /// Reports each measured variant to `watch`; null: none.
    void tell(ProgressReporter* watch) { progress = watch; }
    /// Called for each program that was built after its error was measured.
    void setFound(std::function<void(const SearchPoint&)> told) { found = std::move(told); }

  private:
    core::Result<OutputError> measure(const SiteSchemes& choice,
                                      const QuantizedVariants::Annotation& annotation);
    [[nodiscard]] QuantizedVariants::Annotation makeAnnotation(const SiteSchemes& choice) const;

    QuantizedVariants& variants;
    std::chrono::steady_clock::time_point end;
    const std::atomic<bool>* cancel;
    ProgressReporter* progress = nullptr;
    bool hasFirst = false;
    std::function<void(const SearchPoint&)> found;
    std::map<SiteSchemes, double> knownNoises;
    std::map<SiteSchemes, std::uint64_t> programBytes;  ///< of programs that were run
};

}  // namespace et::tasks
