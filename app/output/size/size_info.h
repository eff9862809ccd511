#pragma once

#include "app/output/cells.h"
#include "app/tasks/size/measured_size.h"
#include "inspector/size/size_tree.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace et::output {

using inspector::SizeBy;

struct SizeInfoOptions {
    SizeBy by = SizeBy::Kind;
    inspector::events::ModuleRollUp modules{};
    std::size_t top = 20;  ///< rows of each list; 0: all
    bool weights = false;  ///< list weights individually
};

/// Owners of bytes (inspector::sizeOwner), largest first. Their bytes add up to the total for every grouping.
struct SizeOwner {
    std::string name;
    std::uint64_t bytes = 0;
    std::size_t pieces = 0;
};
[[nodiscard]] std::vector<SizeOwner> sizeOwners(const inspector::SizeMap& map, SizeBy by,
                                                const inspector::events::ModuleRollUp& modules = {});

/// Bytes of an owner in two sets of files.
struct SizeChange {
    std::string name;
    std::uint64_t before = 0;
    std::uint64_t after = 0;
    [[nodiscard]] std::int64_t growth() const {
        return static_cast<std::int64_t>(after) - static_cast<std::int64_t>(before);
    }
};
/// All owners in either set of files, largest change first. Their growth adds up to that of the total.
[[nodiscard]] std::vector<SizeChange> sizeChanges(const inspector::SizeMap& before,
                                                  const inspector::SizeMap& after, SizeBy by,
                                                  const inspector::events::ModuleRollUp& modules = {});
/// Text for a terminal, with the totals.
[[nodiscard]] std::string sizeChangesText(const inspector::SizeMap& before, const inspector::SizeMap& after,
                                          const SizeInfoOptions& options);
/// docs/reference/json_programs.md, size.
[[nodiscard]] List sizeChangesInfo(const inspector::SizeMap& before, const inspector::SizeMap& after,
                                   const SizeInfoOptions& options);

/// Text for a terminal: owners, then weight storage, duplicates, uniform tensors and compressibility, each if
/// there are any.
[[nodiscard]] std::string sizeText(const tasks::MeasuredSize& size, const SizeInfoOptions& options);
/// docs/reference/json_programs.md, size; all owners.
[[nodiscard]] Dict sizeInfo(const tasks::MeasuredSize& size, const SizeInfoOptions& options);

}  // namespace et::output
