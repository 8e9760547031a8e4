/*
 * The traces of Sinha, Malik and Gupta, Efficient Predictive Analysis for Detecting Nondeterminism
 * in Multi-Threaded Programs, table A1: the measures that the paper gives, followed by how strongly
 * threads are coupled in our imitation of each, found by measuring (doc/generate.md).
 */
#include "generate_like.h"

const hd_generate_like_shape hd_generate_like_shapes[] = {
    /* name, threads, events, lock events, locks, accesses, variables, wait events, witnesses;
     * own, back, rivals, bare */
    {"conpool", 4, 97, 16, 1, 53, 5, 3, 252, 485, 0, 20, 800},
    {"liveness", 7, 283, 44, 9, 163, 12, 6, 855, 485, 50, 150, 300},
    {"SynchBench", 16, 1510, 306, 2, 533, 15, 0, 47526, 485, 50, 100, 300},
    {"Barrier1", 10, 653, 108, 2, 262, 12, 7, 3975, 600, 50, 100, 300},
    {"Barrier2", 13, 805, 136, 2, 340, 16, 7, 6516, 585, 30, 60, 400},
    {"account1", 11, 902, 146, 21, 430, 42, 10, 1416, 600, 50, 150, 300},
    {"account2", 21, 1747, 282, 41, 850, 82, 20, 2796, 545, 50, 100, 300},
    {"DaisyTest1", 3, 2998, 422, 10, 2003, 45, 15, 383007, 75, 0, 0, 1000},
    {"DaisyTest2", 3, 4998, 699, 14, 3330, 64, 25, 1100814, 0, 0, 20, 800},
    {"DaisyTest3", 3, 7999, 1096, 18, 5341, 81, 36, 3025419, 75, 0, 0, 1000},
    {"Elevator1", 4, 3004, 370, 11, 1795, 70, 0, 3249, 0, 50, 150, 300},
    {"Elevator2", 4, 5001, 610, 11, 3668, 117, 0, 12285, 40, 10, 40, 600},
    {"Elevator3", 4, 8004, 1128, 11, 5601, 94, 0, 24627, 190, 0, 20, 800},
    {"philo", 6, 1141, 126, 6, 857, 23, 22, 4893, 390, 50, 150, 300},
    {"ThriftTrace1", 4, 2406, 226, 12, 869, 62, 53, 618, 225, 50, 150, 300},
    {"ThriftTrace2", 4, 2452, 234, 12, 873, 62, 55, 618, 300, 50, 150, 300},
    {"ThriftTrace3", 10, 4844, 404, 18, 1739, 129, 91, 2811, 395, 50, 150, 300},
    {"ThriftTrace4", 4, 6761, 586, 48, 2785, 171, 125, 35610, 0, 0, 10, 1000},
    {"ThriftTrace5", 20, 8950, 722, 28, 3320, 223, 165, 9615, 525, 50, 150, 300},
    {"ThriftTrace6", 4, 11357, 1384, 48, 3184, 171, 324, 35610, 40, 0, 20, 800},
    {"ThriftTrace7", 20, 13561, 1520, 28, 3727, 223, 372, 9609, 450, 50, 150, 300},
    {"ThriftTrace8", 40, 15975, 1239, 48, 5485, 429, 259, 35748, 560, 50, 150, 300},
    {"ThriftTrace9", 10, 16040, 2981, 18, 1345, 107, 1408, 2577, 375, 50, 150, 300},
    {"ThriftTrace10", 6, 20640, 1724, 158, 8818, 519, 349, 479142, 0, 0, 20, 800},
    {"ThriftTrace11", 6, 25237, 2522, 158, 9218, 519, 549, 479142, 0, 0, 10, 1000},
};

const size_t hd_generate_like_count =
    sizeof hd_generate_like_shapes / sizeof *hd_generate_like_shapes;
