#pragma once
// Nothing here depends on the operating system.
