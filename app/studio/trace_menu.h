#pragma once

#include "inspector/session/session.h"

#include <QMenu>

#include <cstddef>

namespace et::studio {

/// Menu of the open traces: the main trace of the panels, and the additional ones.
class TraceMenu : public QMenu {
    Q_OBJECT

  public:
    explicit TraceMenu(QWidget* parent = nullptr);

    /// Empty without a trace.
    void setFiles(const inspector::SessionFiles& files);

  signals:
    /// `other`: index into SessionFiles::others.
    void mainChosen(std::size_t other);
    void closeOthers();
};

}  // namespace et::studio
