// MuJoCo's C API against the wheel's library (build_all.sh).  usage: [MJ_OPS=mj_step] bench_mj model.full.xml name full|free
#define _GNU_SOURCE
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
#include <time.h>
static double now(clockid_t c) { struct timespec t; clock_gettime(c, &t); return t.tv_sec + 1e-9 * t.tv_nsec; }
static int cmp(const void* a, const void* b) { double x = *(double*)a, y = *(double*)b; return (x > y) - (x < y); }
static double U(void) { return 2.0 * rand() / RAND_MAX - 1; }
static char extra[256] = "";
// MJ_OPS: only operations whose names start with it (for example MJ_OPS=mj_step)
static int wanted(const char* op) { const char* only = getenv("MJ_OPS"); return !only || !strncmp(op, only, strlen(only)); }
static void rep(const char* name, const char* op, double* C, double* W, int n) {
  qsort(C, n, 8, cmp); qsort(W, n, 8, cmp);
  printf("{\"lib\":\"mujoco %s (C API, wheel .so)\",\"robot\":\"%s\",\"op\":\"%s\",\"cpu_min\":%.4f,\"cpu_med\":%.4f,\"wall_min\":%.4f,\"wall_med\":%.4f,\"rep\":%d%s}\n", mj_versionString(), name, op, C[0] * 1e6, C[n / 2] * 1e6, W[0] * 1e6, W[n / 2] * 1e6, n, extra); fflush(stdout);
}
#define NREP 20
#define TIME(opname, nev, code) do { if (!wanted(opname)) break; double C[NREP], W[NREP]; extra[0] = 0; for (int r = -2; r < NREP; ++r) { double w = now(CLOCK_MONOTONIC), c = now(CLOCK_THREAD_CPUTIME_ID); for (int k = 0; k < (nev); ++k) { code; } if (r >= 0) { C[r] = (now(CLOCK_THREAD_CPUTIME_ID) - c) / (nev); W[r] = (now(CLOCK_MONOTONIC) - w) / (nev); } } rep(name, opname, C, W, NREP); } while (0)
int main(int argc, char** argv) {
  char err[1000]; mjModel* m = mj_loadXML(argv[1], NULL, err, 1000); if (!m) { fprintf(stderr, "%s\n", err); return 1; }
  const char* name = argv[2]; const char* kind = argv[3]; mjData* d = mj_makeData(m); int nv = m->nv;
  // cross-library consistency: inverse dynamics at q=.3, v=.2, a=.1, free model
  for (int i = 0; i < nv; ++i) { d->qpos[i] = .3; d->qvel[i] = .2; d->qacc[i] = .1; }
  mj_inverse(m, d); double s = 0, s2 = 0; for (int i = 0; i < nv; ++i) { s += d->qfrc_inverse[i]; s2 += d->qfrc_inverse[i] * d->qfrc_inverse[i]; }
  fprintf(stderr, "%s %s nv=%d |inverse|=%.12g sum=%.12g\n", name, kind, nv, sqrt(s2), s);
  int nst = nv > 50 ? 200 : 1000;
  struct { const char* n; int i; } I[] = {{"EULER", mjINT_EULER}, {"IMPLICITFAST", mjINT_IMPLICITFAST}, {"DISCRETE", mjINT_DISCRETE}};
  struct { const char* n; int i; } S[] = {{"NEWTON", mjSOL_NEWTON}, {"PGS", mjSOL_PGS}, {"CG", mjSOL_CG}};
  int full = !strcmp(kind, "full");
  double* q0 = malloc(8 * nv * NREP), *v0 = malloc(8 * nv * NREP), *u = malloc(8 * nv * 1000);
  srand(3);
  for (int r = 0; r < NREP; ++r) for (int i = 0; i < nv; ++i) { double lo = m->jnt_limited[i] ? m->jnt_range[2 * i] : -3, hi = m->jnt_limited[i] ? m->jnt_range[2 * i + 1] : 3; q0[r * nv + i] = lo + (hi - lo) * (.5 + .45 * U()); v0[r * nv + i] = U(); }
  for (int i = 0; i < nv * 1000; ++i) u[i] = 10 * U();
  if (wanted("mj_step"))
  for (int a = 0; a < 3; ++a) for (int b = 0; b < (full ? 3 : 1); ++b) {
    m->opt.integrator = I[a].i; m->opt.solver = S[b].i;
    double C[NREP], W[NREP]; long nefc = 0, nit = 0, cnt = 0; int bad = 0;
    for (int r = -1; r < NREP; ++r) {
      int rr = r < 0 ? 0 : r; mj_resetData(m, d);
      memcpy(d->qpos, q0 + rr * nv, 8 * nv); memcpy(d->qvel, v0 + rr * nv, 8 * nv);
      double w = now(CLOCK_MONOTONIC), c = now(CLOCK_THREAD_CPUTIME_ID);
      for (int k = 0; k < nst; ++k) { memcpy(d->ctrl, u + (k % 1000) * nv, 8 * nv); mj_step(m, d); nefc += d->nefc; nit += d->solver_niter[0]; cnt++; }
      double c1 = now(CLOCK_THREAD_CPUTIME_ID) - c, w1 = now(CLOCK_MONOTONIC) - w;
      if (r >= 0) { C[r] = c1 / nst; W[r] = w1 / nst; } for (int z = 0; z < mjNWARNING; ++z) bad += d->warning[z].number;
    }
    char op[200]; sprintf(op, "mj_step dt=1ms %s integrator=%s solver=%s", full ? "limits+frictionloss+armature+damping" : "unconstrained", I[a].n, full ? S[b].n : "-");
    sprintf(extra, ",\"mean_nefc\":%.2f,\"mean_iter\":%.2f,\"warnings\":%d", (double)nefc / cnt, (double)nit / cnt, bad); rep(name, op, C, W, NREP);
  }
  m->opt.solver = mjSOL_NEWTON; m->opt.integrator = mjINT_IMPLICITFAST;
  mj_resetData(m, d); memcpy(d->qpos, q0, 8 * nv); memcpy(d->qvel, v0, 8 * nv); memcpy(d->ctrl, u, 8 * nv); for (int k = 0; k < 20; ++k) mj_step(m, d);
  mj_forward(m, d);
  int n2 = 2 * nv; double* A = malloc(8 * n2 * n2), *B = malloc(8 * n2 * nv);
  int nf = nv > 50 ? 1 : nv > 20 ? 20 : 200, ns = nv > 50 ? 1000 : 10000;
  for (int a = 0; a < 3; ++a) { m->opt.integrator = I[a].i; char op[100];
    sprintf(op, "mjd_transitionFD A,B forward %s %s", full ? "full" : "free", I[a].n); TIME(op, nf, mjd_transitionFD(m, d, 1e-6, 0, A, B, NULL, NULL));
    sprintf(op, "mjd_transitionFD A,B centered %s %s", full ? "full" : "free", I[a].n); TIME(op, nf, mjd_transitionFD(m, d, 1e-6, 1, A, B, NULL, NULL)); }
  m->opt.integrator = mjINT_IMPLICITFAST;
  char op[100];
#define T2(nm, nev, code) do { sprintf(op, "%s %s", nm, full ? "full" : "free"); TIME(op, nev, code); } while (0)
  double* res = malloc(8 * nv);
  T2("mj_kinematics", ns, (d->qpos[0] += 1e-9, mj_kinematics(m, d)));
  T2("mj_fwdPosition", ns / 2, (d->qpos[0] += 1e-9, mj_fwdPosition(m, d)));
  T2("mj_crb", ns, mj_crb(m, d));
  T2("mj_makeM+factorM", ns, (mj_makeM(m, d), mj_factorM(m, d)));
  T2("mj_rne(acc=1)", ns, mj_rne(m, d, 1, res));
  T2("mj_forward", ns / 2, (d->qpos[0] += 1e-9, mj_forward(m, d)));
  T2("mj_inverse", ns / 2, (d->qpos[0] += 1e-9, mj_inverse(m, d)));
  return 0;
}
