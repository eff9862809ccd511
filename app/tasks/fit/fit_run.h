#pragma once

#include "app/tasks/base/program_file.h"
#include "app/tasks/fit/measured_need.h"
#include "inspector/fit/fit.h"
#include "inspector/fit/oplist.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace et::tasks {

/// Input of a check.
struct FitFiles {
    std::vector<std::filesystem::path> models;  ///< programs or bundled programs
    std::vector<std::filesystem::path> data{};  ///< tensor data files of the programs
    std::filesystem::path runtime{};            ///< list, YAML or binary; empty: et-inspect's own runtime
    std::filesystem::path target{};             ///< description of a device; empty: memory is not checked
    bool measure = false;  ///< also run each method once, to measure what cannot be computed
};

struct ProgramFit {
    std::string file;
    inspector::FlashNeed flash{};
    std::vector<inspector::MethodFit> methods;
    std::vector<core::Result<MeasuredNeed>> measured{};  ///< same size, or empty

    [[nodiscard]] bool fits() const;
};

struct FitResult {
    std::string runtime;  ///< "ops.yaml (selected operators)"
    std::string target;   ///< name or file of the target; empty: none
    std::vector<ProgramFit> programs;

    [[nodiscard]] bool fits() const;
};

/// Errors: those of the readers, each with its file.
[[nodiscard]] core::Result<FitResult> checkFit(const FitFiles& files);

/// Reads the kernels of a runtime: a list of operators, YAML or JSON of a selective build, an ELF file or an
/// archive. A binary is searched for `backends`. Errors: Io, those of the readers.
[[nodiscard]] core::Result<inspector::KernelList> readRuntime(const std::filesystem::path& path,
                                                              const std::vector<std::string>& backends);

/// The kernels of this build.
[[nodiscard]] inspector::KernelList ownKernels();

/// Operators to build for some programs.
struct OperatorList {
    std::string yaml;
    std::size_t operators = 0;
    std::size_t keys = 0;
};
/// Errors: those of ProgramFile::open().
[[nodiscard]] core::Result<OperatorList> listOperators(const std::vector<std::filesystem::path>& models,
                                                       const inspector::OplistOptions& options);

}  // namespace et::tasks
