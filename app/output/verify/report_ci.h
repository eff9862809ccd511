#pragma once

#include "bundled_program/verify.h"

#include <span>
#include <string>

namespace et::output {

/// Workflow commands of GitHub Actions, shown next to the files: an error for each case or file that does not
/// pass, then the summary. Definition: docs.github.com, "Workflow commands for GitHub Actions".
[[nodiscard]] std::string githubAnnotations(std::span<const bundled_program::FileReport> reports);

/// The reports as JUnit XML for CI servers: one suite per file, one test per method and case. Definition: the
/// schema of Jenkins' xUnit plugin (junit-10.xsd), which GitLab and others also read.
[[nodiscard]] std::string junitXml(std::span<const bundled_program::FileReport> reports);

}  // namespace et::output
