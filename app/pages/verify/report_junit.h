#pragma once

#include "bundled_program/verify.h"

#include <span>
#include <string>

namespace et::app {

/// The reports as JUnit's XML, which CI servers show: a suite a file, a test a method and case. Definition:
/// the schema of Jenkins' xUnit plugin (junit-10.xsd), which GitLab and others read too.
[[nodiscard]] std::string junitXml(std::span<const bundled_program::FileReport> reports);

}  // namespace et::app
