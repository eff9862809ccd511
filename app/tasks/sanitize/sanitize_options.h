#pragma once

namespace et::tasks {

class OptionList;

/// Adds --sanitize.
void addSanitize(OptionList& options, bool& sanitize);

}  // namespace et::tasks
