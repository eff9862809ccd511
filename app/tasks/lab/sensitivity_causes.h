#pragma once

#include "app/tasks/lab/sensitivity_run.h"
#include "backends/reference/interpreter.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace et::tasks {

/// Collects ranges of the sites' results while the float graph runs. The model must outlive this object.
class OutputRanges {
  public:
    explicit OutputRanges(backends::xnnpack::PreparedModel& of);

    /// Records the range of each channel: dimension 1 of images, the last dimension of other tensors.
    [[nodiscard]] backends::reference::NodeObserver observer();
    /// Returns nothing if a site has no results.
    [[nodiscard]] std::optional<OutputRange> of(std::size_t site) const;

    void countOutside(std::size_t site, backends::xnnpack::ValueRange used);
    /// Counts numbers outside of those ranges.
    [[nodiscard]] backends::reference::NodeObserver clippingObserver();
    [[nodiscard]] double clippedShare(std::size_t site) const;

  private:
    struct Seen {
        std::vector<backends::xnnpack::ValueRange> channels;
        std::optional<backends::xnnpack::ValueRange> used;
        std::uint64_t numbers = 0;
        std::uint64_t outside = 0;
    };
    using Note = void (*)(Seen& seen, const core::Tensor& tensor);
    backends::reference::NodeObserver observerOf(Note note);
    static void noteChannels(Seen& seen, const core::Tensor& tensor);
    static void noteOutside(Seen& seen, const core::Tensor& tensor);

    std::vector<Seen> sites;
    std::unordered_map<std::string_view, std::vector<std::size_t>> byValue;
};

/// Explains a site's error in one sentence; empty if there is nothing to report.
[[nodiscard]] std::string causeOf(const SiteSensitivity& site);

}  // namespace et::tasks
