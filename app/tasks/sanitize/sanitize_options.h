#pragma once

#include <filesystem>

namespace et::tasks {

class OptionList;

/// Adds --sanitize.
void addSanitize(OptionList& options, bool& sanitize);
/// Adds --memory-report, a file for the errors that are found.
void addMemoryReport(OptionList& options, std::filesystem::path& report);

}  // namespace et::tasks
