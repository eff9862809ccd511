#pragma once

#include <QWidget>

class QLabel;

namespace et::studio {

/// What the window shows while there is no table: what to do next.
class EmptyPage : public QWidget {
    Q_OBJECT

  public:
    explicit EmptyPage(QWidget* parent = nullptr);

    /// A record is open without a trace: say what is missing instead of how to start.
    void setRecordOnly(bool recordOnly);

  signals:
    void openRequested();

  private:
    QLabel* title;
    QLabel* text;
};

}  // namespace et::studio
