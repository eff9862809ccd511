#pragma once

#include "tests/studio/window_driver.h"

#include <string>

namespace et::test {

/// Saves what is on screen as NAME.png and, in dark colours, NAME_dark.png: in the build, or in docs/studio
/// with ET_UPDATE_SCREENSHOTS=1. A test failure where a file is too big for a repository. The colours are the
/// light ones afterwards.
void takePictures(WindowDriver& driver, const std::string& name);

}  // namespace et::test
