#pragma once

#include "app/output/cells.h"
#include "bundled_program/bundle.h"
#include "etdump/trace.h"
#include "etrecord/record.h"
#include "inspector/format/table.h"
#include "inspector/profiles/vendor_profile.h"
#include "inspector/session/artifact.h"
#include "runtime/core/result.h"
#include "runtime/native/package.h"
#include "runtime/program/program.h"
#include "runtime/program/tensor_data.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

/// Information about each kind of file, as values that print as text and as JSON. Keys are snake_case and
/// stable; sizes are in bytes unless a key says otherwise.
namespace et::output {

/// Counts names, in order of first appearance.
class Tally {
  public:
    void add(std::string_view name, std::uint64_t count = 1) {
        const auto [found, fresh] = positions.try_emplace(std::string(name), counts.size());
        if (fresh) {
            counts.emplace_back(name, std::uint64_t{0});
        }
        counts[found->second].second += count;
    }

    /// {"aten::add.out": 2}
    [[nodiscard]] Dict dict() const {
        Dict dict;
        for (const auto& [name, count] : counts) {
            dict.emplace_back(name, count);
        }
        return dict;
    }

    /// Returns [{"name": "aten::add.out", "calls": 2}], with the given keys.
    [[nodiscard]] List list(const char* nameKey, const char* countKey) const {
        List list;
        for (const auto& [name, count] : counts) {
            list.emplace_back(Dict{{nameKey, name}, {countKey, count}});
        }
        return list;
    }

  private:
    std::vector<std::pair<std::string, std::uint64_t>> counts;
    std::unordered_map<std::string, std::size_t> positions;
};

/// Inputs or outputs of a method: type, with dtype, sizes, … for tensors and the value for others.
[[nodiscard]] List valueInfo(const program::Method& method, const std::vector<program::ValueId>& ids);
[[nodiscard]] Dict programInfo(const program::Program& program);
[[nodiscard]] Dict tensorDataInfo(const program::TensorData& data);
/// Errors: those of the embedded program.
[[nodiscard]] core::Result<Dict> bundleInfo(const bundled_program::Bundle& bundle);
/// Members, methods with inputs, outputs, state and quantized constants, and stored tensors; warnings of
/// buffers that are read but never written.
[[nodiscard]] Dict packageInfo(const native::Package& package);
[[nodiscard]] Dict traceInfo(const etdump::Trace& trace);
/// Tool, backends, unit and operators with the mean of their times and their other columns.
[[nodiscard]] Dict profileInfo(const inspector::VendorProfile& profile);
/// Errors: embedded graphs or archives that cannot be read.
[[nodiscard]] core::Result<Dict> recordInfo(const etrecord::Record& record);

/// Describes a file: first "file", "kind" and "bytes", then the entries of its kind. Errors: those of the
/// readers; Format (unknown kind of file).
[[nodiscard]] core::Result<Dict> artifactInfo(const inspector::RecognizedFile& recognized);

}  // namespace et::output
