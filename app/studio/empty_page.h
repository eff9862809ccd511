#pragma once

#include <QWidget>

namespace et::studio {

/// What the window shows while nothing is open: what to do next.
class EmptyPage : public QWidget {
    Q_OBJECT

  public:
    explicit EmptyPage(QWidget* parent = nullptr);

  signals:
    void openRequested();
};

}  // namespace et::studio
